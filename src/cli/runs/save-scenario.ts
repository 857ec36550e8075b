import { Failure } from '../../failure.js';
import { draftUrl } from '../../probe/draft-url.js';
import { writeFileWhole } from '../../result/write-file.js';
import { planFrom } from '../../scenario/load-scenario.js';
import type { Plan } from '../../scenario/plan.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { parseYamlSource } from '../../scenario/yaml-source.js';
import { printableJson } from '../../text/one-line.js';
import { holdsSecret } from '../../text/secrets.js';
import type { RunFlags } from '../flags/run-flags.js';
import { tell } from '../tell.js';

/** Writes the run down as a scenario, without the values of headers and the secrets of its URL. */
export function saveScenario(path: string, scenario: ScenarioInput, plan: Plan, given: RunFlags): void {
  const draft = draftUrl(plan.target.url);
  const text = scenarioText(scenario, plan, given, draft.url);
  if (holdsSecret(text)) throw new Failure('--save: the run holds a secret that does not belong in a file');
  // What is written must be what is read: anything else is a bug, and better found here.
  Object.assign(process.env, draft.variables);
  planFrom(parseYamlSource(path, text), 'run', {});
  writeFileWhole(path, text);
  const needed = [
    ...Object.keys(draft.variables).map((name) => `${name} in the environment`),
    ...(given.header === undefined ? [] : ['its --header again']),
  ];
  tell(`wrote ${path}${needed.length === 0 ? '' : ` (a run of it needs ${needed.join(' and ')})`}`);
}

function scenarioText(scenario: ScenarioInput, plan: Plan, given: RunFlags, url: string): string {
  const { name, sessions, load, duration, warmup, openLoop, calls } = scenario;
  const rules = new Map<string, string[]>();
  for (const { metric, rule } of plan.thresholds) rules.set(metric, [...(rules.get(metric) ?? []), rule]);
  const lines: [string, unknown][] = [
    ['name', name],
    ['target', targetLines(url, plan, given)],
    ['sessions', sessions],
    ['warmup', warmup],
    ['load', load],
    ['duration', duration],
    ['openLoop', openLoop],
    ['posts', given.posts === undefined ? undefined : plan.posts],
    ['seed', given.seed],
    ['workers', given.workers],
    ['tags', given.tag === undefined ? undefined : plan.tags],
  ];
  return [
    '# A run that the command line described, as a scenario: change it, add calls, set limits.',
    ...lines.filter(([, value]) => value !== undefined).map(([key, value]) => `${key}: ${written(value)}`),
    'calls:',
    ...calls.map((call) => `  - ${written(call)}`),
    ...(rules.size === 0 ? [] : ['thresholds:']),
    ...[...rules].map(([metric, list]) => `  ${written(metric)}: ${written(list)}`),
    '',
  ].join('\n');
}

function targetLines(url: string, { target }: Plan, given: RunFlags): unknown {
  if (url === '' && given.server === undefined) return undefined;
  const more = {
    ...(given.server === undefined ? {} : { command: given.server }),
    ...(given.transport === undefined ? {} : { transport: target.transport }),
    ...(given.protocol === undefined ? {} : { protocol: target.protocol }),
    ...(given.dialect === undefined ? {} : { dialect: target.dialect }),
    ...(given.insecure === true ? { tls: { verify: false } } : {}),
  };
  if (Object.keys(more).length === 0) return url;
  return { ...(url === '' ? {} : { url }), ...more };
}

// JSON is YAML; names and maps are only made easier to read.
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${written(key)}: ${written(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  const isBare =
    typeof value === 'string' &&
    /^[A-Za-z_][\w-]*$|^\d+(\.\d+)?(\/s|\/min|ms|s|m|h)$/.test(value) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isBare ? value : printableJson(JSON.stringify(value));
}
