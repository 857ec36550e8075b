import { isAbsolute, join, resolve } from 'node:path';
import type { ScenarioOverrides } from '../scenario/apply-overrides.js';
import { planFrom } from '../scenario/load-scenario.js';
import type { OperationPlan, Plan, TransportChoice } from '../scenario/plan.js';
import { failOnProblems, type Problem } from '../scenario/problem.js';
import { schemaProblems } from '../scenario/schema-problems.js';
import type { Source } from '../scenario/source.js';
import type { Launch } from '../target/start-target.js';
import { withPort } from '../target/start-target.js';
import { type TargetInput, targetsSchema } from './targets-schema.js';
import { keepOwnEnvironment } from '../scenario/keep-own-environment.js';
import { keepEnvironment, printableWords } from '../text/secrets.js';

/** A target, ready to be started and loaded. */
export interface Contestant {
  readonly name: string;
  readonly about: string | null;
  readonly launch: Launch;
  /** As the file has it, for reports. */
  readonly command: string | null;
  /** With `{port}` where its port goes. */
  readonly url: string;
  readonly readyMs: number;
  readonly plan: Plan;
  /** Its calls in words where they are not the scenario's. */
  readonly askedInstead: readonly string[] | null;
}

const defaultReadyMs = 30_000;
// Any port will do to see whether a URL is one.
const somePort = 1;
const targetKeys = [
  'transport',
  'protocol',
  'listen',
  'dialect',
  'headers',
  'token',
  'unixSocket',
  'tls',
  'allowForeignEndpoint',
] as const;

/**
 * Reads the targets of a file and plans the scenario for each; all that is wrong is one Failure, each mistake with the file and the
 * line in which it stands, which of the calls of a target is the targets file.
 */
export function loadTargets(
  targets: Source,
  scenario: Source,
  defaultName: string,
  overrides: ScenarioOverrides = {},
): Contestant[] {
  const parsed = targetsSchema.safeParse(targets.value);
  if (!parsed.success) {
    failOnProblems(schemaProblems(parsed.error, targets.value), targets.locate);
    throw new Error('a schema error without an issue');
  }
  const inputs = parsed.data.targets;
  failOnProblems(
    inputs.flatMap((input, at) => problemsOf(input, at, inputs)),
    targets.locate,
  );
  // What is wrong with the scenario itself is told once, and before what is wrong with a target.
  const common = planFrom(scenario, defaultName, overrides);
  return inputs.map((input, at) => {
    const plan = planFrom(combined(targets, scenario, input, at), defaultName, overrides);
    const { transport } = plan.target;
    const url = isStdio(input) ? '' : urlOf(input, transport);
    const own = input.calls !== undefined && plan.scenarioHash !== common.scenarioHash;
    return {
      name: input.name,
      about: input.about ?? null,
      launch: launchOf(input, targets.folder),
      command: commandText(input),
      url,
      readyMs: input.ready === undefined ? defaultReadyMs : input.ready / 1e6,
      plan: {
        ...plan,
        target: {
          ...plan.target,
          url,
          ...(input.mock === undefined || transport !== 'auto' ? {} : { transport: 'sse' }),
        },
      },
      askedInstead: own ? plan.operations.map(describeCall) : null,
    };
  });
}

function problemsOf(input: TargetInput, at: number, all: readonly TargetInput[]): Problem[] {
  const path = ['targets', at];
  const problems: Problem[] = [];
  const report = (message: string, key?: string): void =>
    void problems.push({ path, message, ...(key === undefined ? {} : { key }) });
  const { command, mock, url, name } = input;
  if (all.findIndex((other) => other.name === name) < at)
    report(`a second target named "${name}": expected names that differ`, 'name');
  if (command !== undefined && mock !== undefined)
    report('expected either command or mock, found both', 'mock');
  if (command === undefined && mock === undefined && url === undefined)
    report('expected command and url, url alone, or mock: true, found none of them');
  if (typeof command === 'string' && url === undefined && input.unixSocket === undefined)
    report(
      '"url" is missing: expected where the command serves, such as http://127.0.0.1:{port}/sse, or the command as a list, to speak to it over stdio',
    );
  if (isStdio(input) && input.inheritEnv === false)
    report('over stdio a command always has our environment, too', 'inheritEnv');
  if (command === undefined && mock === undefined && url?.includes('{port}'))
    report('{port} is for servers that are started here: expected a command, or a port', 'url');
  if (command === undefined)
    for (const key of ['cwd', 'env', 'inheritEnv'] as const)
      if (input[key] !== undefined) report(`${key} is for a command: expected a command, found none`, key);
  return problems;
}

/** A command without a URL: a process for each session. */
function isStdio({ command, url, unixSocket }: TargetInput): boolean {
  return Array.isArray(command) && url === undefined && unixSocket === undefined;
}

/** The scenario with this target in it; what came from the targets file is found there. */
function combined(targets: Source, scenario: Source, input: TargetInput, at: number): Source {
  const value = scenario.value as Record<string, unknown>;
  const given = typeof value['target'] === 'object' ? (value['target'] as object) : {};
  const own = Object.fromEntries(
    targetKeys
      .filter((key) => input[key] !== undefined)
      .map((key) => [key, foundFrom(targets.folder, key, input[key])]),
  );
  const started = isStdio(input)
    ? {
        command: input.command,
        env: input.env,
        cwd: resolve(targets.folder, input.cwd ?? '.'),
      }
    : null;
  const ownKeys = ['url', ...Object.keys(own), ...Object.keys(started ?? {})];
  const inTargets = ({ path: [first, second] }: Problem): boolean =>
    first === 'target' ? ownKeys.includes(String(second)) : first === 'calls' && input.calls !== undefined;
  return {
    name: scenario.name,
    folder: scenario.folder,
    value: {
      ...value,
      // What the scenario says of its own target is about a URL.
      target:
        started === null
          ? { ...given, ...own, url: withPort(urlOf(input, 'auto'), somePort) }
          : { ...own, ...started },
      ...(input.calls === undefined ? {} : { calls: input.calls }),
    },
    locate: (problem) => {
      if (!inTargets(problem)) return scenario.locate(problem);
      const path = problem.path[0] === 'target' ? problem.path.slice(1) : problem.path;
      return targets.locate({ ...problem, path: ['targets', at, ...path] });
    },
  };
}

/** Paths in the targets file are found from its own folder, not from the scenario's. */
function foundFrom(folder: string, key: string, value: unknown): unknown {
  if (key === 'unixSocket' && typeof value === 'string') return resolve(folder, value);
  if (key !== 'tls' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, path]) => [
      name,
      typeof path === 'string' ? resolve(folder, path) : path,
    ]),
  );
}

function urlOf({ url, mock }: TargetInput, transport: TransportChoice): string {
  if (url !== undefined) return url;
  if (transport === 'streamable') return 'http://127.0.0.1:{port}/mcp';
  const workspace = mock !== true && mock?.dialect?.[0] === 'workspace';
  // All streams of one workspace see all its responses: each session gets its own.
  return `http://127.0.0.1:{port}${workspace ? '/mcp/{session}' : '/sse'}`;
}

function launchOf(input: TargetInput, folder: string): Launch {
  const { command, mock, cwd, env, inheritEnv } = input;
  if (mock !== undefined) {
    const options = mock === true ? [] : Object.entries(mock);
    return {
      kind: 'mock',
      args: options.flatMap(([name, values]) => values.map((value) => `--${name}=${value}`)),
    };
  }
  if (command === undefined) return { kind: 'url' };
  if (isStdio(input)) return { kind: 'sessions' };
  if (inheritEnv !== false) keepOwnEnvironment();
  keepEnvironment(env ?? {});
  return {
    kind: 'command',
    command,
    cwd: cwd === undefined ? resolve(folder) : isAbsolute(cwd) ? cwd : resolve(join(folder, cwd)),
    env: env ?? {},
    inheritEnv: inheritEnv ?? true,
  };
}

function commandText({ command, mock }: TargetInput): string | null {
  if (mock !== undefined) {
    const options = mock === true ? [] : Object.entries(mock);
    return ['the built-in mock', ...options.map(([name, values]) => `${name} ${values.join(', ')}`)].join(
      ', ',
    );
  }
  return command === undefined
    ? null
    : typeof command === 'string'
      ? command
      : printableWords(command).join(' ');
}

function describeCall({ tool, method, arguments: given }: OperationPlan): string {
  const json = JSON.stringify(given);
  return `${tool ?? method} ${json.length <= 80 ? json : `${json.slice(0, 79)}…`}`;
}
