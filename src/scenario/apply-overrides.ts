import type { z } from 'zod';
import { Failure } from '../failure.js';
import { idleCount } from './check-load.js';
import { didYouMean } from './did-you-mean.js';
import { lengthNs, listPhases } from './list-phases.js';
import type { LoadInput } from './list-phases.js';
import type { CallOverrides } from './call-overrides.js';
import { overrideCalls } from './override-calls.js';
import type { Path } from './problem.js';
import { showFound } from './problem.js';
import { callsPerSec, oneOf, positiveDuration, text, whole } from './schema-values.js';
import { dialects, postModes, protocols, transports } from './schema.js';
import type { Scenario } from './schema.js';

/** What the command line may change about a scenario, as it was typed. */
export interface ScenarioOverrides extends CallOverrides {
  /** URL of the server; the rest of `target:` stays. */
  readonly target?: string;
  /** A program and its arguments, instead of the scenario's target: spoken to over stdio, or serving at the URL where one is given, too. */
  readonly command?: readonly string[];
  readonly transport?: string;
  readonly protocol?: string;
  readonly dialect?: string;
  /** `Name: value`, each added to the scenario's own or replacing it. */
  readonly headers?: readonly string[];
  /** Do not verify the server's certificate. */
  readonly insecure?: boolean;
  readonly sessions?: number;
  /** `serial`, `pipelined`, `shared`, with connections as in `shared:16`. */
  readonly posts?: string;
  /** Length of all timed phases together: each keeps its share. Warm-up, burst intervals and counted phases stay as they are. */
  readonly duration?: string;
  /** Highest rate of all `rate`, `ramp` and `steps` phases: lower ones keep their proportion to it. */
  readonly rate?: string;
  readonly workers?: number;
  readonly seed?: number;
  /** `key=value`, each added to the scenario's own or replacing it. */
  readonly tags?: readonly string[];
  /** `metric: rule`, each added to the scenario's own. */
  readonly thresholds?: readonly string[];
}

/** A scenario with overrides applied, and which option is behind which of its paths (as JSON). */
export interface Overridden {
  readonly scenario: Scenario;
  readonly touched: ReadonlyMap<string, string>;
}

/** The scenario as the command line wants it, in a copy; throws a Failure that names the option where one makes no sense. */
export function applyOverrides(original: Scenario, overrides: ScenarioOverrides): Overridden {
  const scenario: Scenario = structuredClone(original);
  const touched = new Map<string, string>();
  const touch = (path: Path, option: string): void => void touched.set(JSON.stringify(path), option);
  applyTarget(scenario, overrides, touch);
  if (overrides.sessions !== undefined) {
    scenario.sessions = {
      ...scenario.sessions,
      count: read('--sessions', whole(1, 1_000_000), overrides.sessions),
    };
    touch(['sessions', 'count'], '--sessions');
  }
  overrideCalls(scenario, overrides, touch);
  if (overrides.workers !== undefined) {
    scenario.workers = read('--workers', whole(1, 1024), overrides.workers);
    touch(['workers'], '--workers');
  }
  if (overrides.seed !== undefined) scenario.seed = read('--seed', whole(0), overrides.seed);
  if (overrides.posts !== undefined) scenario.posts = readPosts(overrides.posts);
  if (overrides.posts !== undefined) touch(['posts'], '--posts');
  for (const tag of overrides.tags ?? []) {
    const [name, value] = split('--tag', tag, /^([^=]+)=(.*)$/s, 'key=value');
    scenario.tags = { ...scenario.tags, [name]: value };
  }
  for (const threshold of overrides.thresholds ?? []) {
    const form = /^\s*([^\s{:]+(?:\{[^}]*\})?)\s*[:\s]\s*(.+)$/s;
    const [metric, rule] = split(
      '--threshold',
      threshold,
      form,
      '"metric: rule", such as "call.response: p(99) < 250ms"',
    );
    const rules = scenario.thresholds?.[metric] ?? [];
    scenario.thresholds = { ...scenario.thresholds, [metric]: [...rules, { rule }] };
    touch(['thresholds', metric, rules.length], '--threshold');
    if (rules.length === 0) touch(['thresholds', metric], '--threshold');
  }
  if (overrides.rate !== undefined) scaleRates(scenario, overrides.rate);
  if (overrides.duration !== undefined) scaleDurations(scenario, overrides.duration);
  limitWorkers(scenario, overrides);
  return { scenario, touched };
}

/** No more workers than sessions that make calls, where the command line has changed either: each needs one. */
function limitWorkers(scenario: Scenario, { workers, sessions }: ScenarioOverrides): void {
  const active = scenario.sessions.count - idleCount(scenario);
  const isChanged = workers !== undefined || sessions !== undefined;
  if (isChanged && active >= 1 && (scenario.workers ?? 1) > active) scenario.workers = active;
}

function applyTarget(
  scenario: Scenario,
  { target, command, transport, protocol, dialect, headers, insecure }: ScenarioOverrides,
  touch: (path: Path, option: string) => void,
): void {
  const changed: NonNullable<Scenario['target']> =
    command === undefined ? { ...scenario.target } : startedBy(command, target, scenario.target);
  if (command !== undefined) touch(['target'], '--');
  if (target !== undefined) {
    if (command === undefined) for (const key of ['command', 'env', 'cwd'] as const) delete changed[key];
    changed.url = read('--target', text('a URL such as http://127.0.0.1:8765/sse'), target);
    touch(['target', 'url'], '--target');
  }
  if (transport !== undefined) changed.transport = read('--transport', oneOf(transports), transport);
  if (protocol !== undefined) changed.protocol = read('--protocol', oneOf(protocols), protocol);
  if (dialect !== undefined) changed.dialect = read('--dialect', oneOf(dialects), dialect);
  for (const [key, value] of Object.entries({ transport, protocol, dialect }))
    if (value !== undefined) touch(['target', key], `--${key}`);
  for (const header of headers ?? []) {
    const [name, value] = split('--header', header, /^([^:]+?)\s*:\s*(.*)$/s, '"Name: value"', 'no colon');
    const isOther = ([other]: [string, string]): boolean => other.toLowerCase() !== name.toLowerCase();
    changed.headers = Object.fromEntries([
      ...Object.entries(changed.headers ?? {}).filter(isOther),
      [name, value],
    ]);
    if (name.toLowerCase() === 'authorization') delete changed.token;
    touch(['target', 'headers', name], '--header');
    touch(['target', 'headers'], '--header');
  }
  if (insecure) changed.tls = { ...changed.tls, verify: false };
  if (Object.keys(changed).length > 0) scenario.target = changed;
}

/** A target that is this command; what the scenario says of a URL is of no use to one that has none. */
function startedBy(
  command: readonly string[],
  url: string | undefined,
  given: Scenario['target'] = {},
): NonNullable<Scenario['target']> {
  const { env, protocol } = given;
  const kept = url === undefined ? (protocol === undefined ? {} : { protocol }) : given;
  return { ...kept, ...(env === undefined ? {} : { env }), command: [...command], cwd: process.cwd() };
}

function readPosts(typed: string): NonNullable<Scenario['posts']> {
  const [mode = '', connections, ...rest] = typed.split(':');
  if (rest.length > 0)
    throw new Failure(`--posts: expected a mode such as serial or shared:16, found "${typed}"`);
  const posts = { mode: read('--posts', oneOf(postModes), mode) };
  if (connections === undefined) return posts;
  return { ...posts, connections: read('--posts', whole(1, 65_535), Number(connections)) };
}

function scaleRates(scenario: Scenario, typed: string): void {
  const value = /^[\d.]+$/.test(typed) ? Number(typed) : typed;
  const wanted = read('--rate', callsPerSec('aboveZero'), value);
  const loads = listPhases(scenario).map(({ load }) => load);
  const highest = Math.max(0, ...loads.map(highestRate));
  if (highest === 0) {
    const models = [...new Set(loads.map(({ model }) => model))].join(', ');
    throw new Failure(
      `--rate: this scenario has no phase with the model rate, ramp or steps (it has: ${models})`,
    );
  }
  for (const load of loads) {
    if (load.model === 'rate') load.perSecond = (load.perSecond / highest) * wanted;
    if (load.model === 'ramp') {
      load.from = (load.from / highest) * wanted;
      load.to = (load.to / highest) * wanted;
    }
    if (load.model === 'steps') {
      for (const step of load.steps) step.perSecond = (step.perSecond / highest) * wanted;
    }
  }
}

function highestRate(load: LoadInput): number {
  if (load.model === 'rate') return load.perSecond;
  if (load.model === 'ramp') return Math.max(load.from, load.to);
  if (load.model === 'steps') return Math.max(...load.steps.map(({ perSecond }) => perSecond));
  return 0;
}

function scaleDurations(scenario: Scenario, typed: string): void {
  const wantedNs = read('--duration', positiveDuration(), typed);
  const totalNs = listPhases(scenario).reduce((sum, phase) => sum + (lengthNs(phase) ?? 0), 0);
  if (totalNs === 0)
    throw new Failure('--duration: this scenario ends after a number of calls, not after a time');
  // The ends are scaled, not the lengths, so that rounding adds up to exactly what was asked for.
  let endNs = 0;
  let scaledEndNs = 0;
  const scale = (ns: number): number => {
    endNs += ns;
    const nextNs = Math.round((endNs / totalNs) * wantedNs);
    const length = nextNs - scaledEndNs;
    if (length < 1e6) throw new Failure(`--duration: ${typed} leaves less than 1ms for one of the phases`);
    scaledEndNs = nextNs;
    return length;
  };
  const holders = scenario.phases ?? [scenario];
  for (const holder of holders) {
    if (holder.load?.model === 'steps')
      for (const step of holder.load.steps) step.duration = scale(step.duration);
    else if (holder.duration !== undefined && holder.load?.model !== 'count')
      holder.duration = scale(holder.duration);
  }
}

function read<Schema extends z.ZodType>(option: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  throw new Failure(
    `${option}: ${issue.message}, found ${showFound(value)}${didYouMean(String(value), words)}`,
  );
}

function split(
  option: string,
  typed: string,
  form: RegExp,
  expected: string,
  found = `"${typed}"`,
): [string, string] {
  const match = form.exec(typed);
  if (match === null) throw new Failure(`${option}: expected ${expected}, found ${found}`);
  return [match[1]!.trim(), match[2]!.trim()];
}
