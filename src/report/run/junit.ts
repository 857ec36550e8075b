import type { RunResult } from '../../result/result.js';
import { judgeRun } from '../../result/run-verdict.js';
import { targetAddress } from '../../result/target-address.js';
import { varietyOf } from '../../result/transport-of.js';
import { availabilityText } from './availability-text.js';
import { outcomeHeadline } from './headline.js';
import { junitXml, type JunitCase } from '../formats/junit-xml.js';
import { oneLine } from '../../text/one-line.js';
import { terminalReport } from './terminal.js';

/** A run as JUnit's XML: a test case for the run, one for the validity of its figures (skipped where suspect), and one per threshold. */
export function junitReport(result: RunResult): string {
  const { environment, target, validity } = result;
  const variety = varietyOf(target);
  return junitXml([
    {
      name: oneLine(result.name),
      startedAt: result.startedAt,
      hostname: environment.hostname,
      seconds: result.durationMs / 1000,
      properties: {
        target: oneLine(targetAddress(target)),
        transport: target.transport,
        [variety.name]: oneLine(variety.value ?? 'unknown'),
        node: environment.node,
        cpu: environment.cpu,
        cores: String(environment.cores),
        seed: String(result.seed),
        scenarioHash: result.scenarioHash,
        availability: availabilityText(result.totals.availability) ?? '',
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
        ...result.thresholds.map(({ metric, rule, detail, state }) =>
          check(`${metric} ${rule}`, 'threshold', junitStates[state], detail),
        ),
      ],
      output: terminalReport(result, { colour: false, width: 100 }),
    },
  ]);
}

const junitStates = { pass: 'passed', fail: 'failure', undecided: 'skipped' } as const;

function runCase(result: RunResult): JunitCase {
  const { word, text } = outcomeHeadline(result);
  // Thresholds and doubts have test cases of their own.
  const ran = ['passed', 'missed', 'suspect'].includes(judgeRun(result));
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
