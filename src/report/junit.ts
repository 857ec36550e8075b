import type { RunResult } from '../result/result.js';
import { outcomeHeadline } from './headline.js';
import { junitXml, type JunitCase } from './junit-xml.js';
import { oneLine } from './style.js';
import { terminalReport } from './terminal.js';

/** A run as JUnit's XML: a test case for the run, one for the validity of its figures (skipped where suspect), and one per threshold. */
export function junitReport(result: RunResult): string {
  const { environment, target, validity } = result;
  return junitXml([
    {
      name: oneLine(result.name),
      startedAt: result.startedAt,
      hostname: environment.hostname,
      seconds: result.durationMs / 1000,
      properties: {
        target: oneLine(target.url),
        dialect: oneLine(target.dialect),
        node: environment.node,
        cpu: environment.cpu,
        cores: String(environment.cores),
        seed: String(result.seed),
        scenarioHash: result.scenarioHash,
        ...(environment.git === null ? {} : { git: environment.git }),
        ...Object.fromEntries(
          Object.entries(environment.tags).map(([key, value]) => [`tag.${oneLine(key)}`, oneLine(value)]),
        ),
      },
      cases: [
        runCase(result),
        check(
          'the measurement is valid',
          'validity',
          validity.state === 'valid' ? 'passed' : 'skipped',
          reasonsOf(result),
        ),
        ...result.thresholds.map(({ metric, rule, detail, pass }) =>
          check(`${metric} ${rule}`, 'threshold', pass ? 'passed' : 'failure', detail),
        ),
      ],
      output: terminalReport(result, { colour: false, width: 100 }),
    },
  ]);
}

function runCase(result: RunResult): JunitCase {
  const { word, text } = outcomeHeadline(result);
  const ran = result.ended === 'complete' && result.totals.outcomes.ok > 0;
  return {
    ...check('the run', 'run', ran ? 'passed' : 'error', `${word}: ${text}`),
    seconds: result.durationMs / 1000,
  };
}

function reasonsOf(result: RunResult): string {
  return result.validity.reasons.map(({ message }) => message).join(' ');
}

function check(name: string, type: string, state: JunitCase['state'], message: string): JunitCase {
  return { name: oneLine(name), type, state, message: oneLine(message), seconds: 0 };
}
