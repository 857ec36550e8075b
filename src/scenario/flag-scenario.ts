import type { JsonValue } from './plan.js';
import type { Path, Place } from './problem.js';
import type { ScenarioInput } from './schema.js';
import type { Source } from './source.js';
import { durationPattern, parseDuration, writtenDuration } from './duration.js';
import { parseRate } from './rate.js';
import { Failure } from '../failure.js';

/** A run without a file: what to call, and the load, as they were typed. */
export interface FlagScenario {
  /** null: another method instead, since the server has no tool that may be called. */
  readonly tool: string | null;
  /** That method. Default: ping. */
  readonly method?: string;
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  readonly sessions?: number;
  readonly inFlight?: number;
  readonly calls?: number;
  readonly rate?: string;
  readonly duration?: string;
}

/** What holds where a flag says nothing. */
export const flagDefaults = { sessions: 10, duration: '5s', warmup: '1s' } as const;

/** The scenario that flags describe: a rate, a number of calls, or as many as the sessions can make; throws a Failure that names flags which exclude each other. */
export function flagScenario(flags: FlagScenario): ScenarioInput {
  const { tool, method = 'ping' } = flags;
  const args = flags.arguments ?? {};
  const call =
    tool === null ? { method } : { tool, ...(Object.keys(args).length === 0 ? {} : { arguments: args }) };
  return {
    name: tool || method,
    sessions: flags.sessions ?? flagDefaults.sessions,
    ...loadOf(flags),
    calls: [call],
  };
}

/** The same as a source: what is wrong is said about the flag that said it. */
export function flagSource(scenario: ScenarioInput): Source {
  return {
    name: 'flags',
    folder: process.cwd(),
    value: scenario,
    locate: ({ path, key }) => locateFlag(key === undefined ? path : [...path, key]),
  };
}

function loadOf(flags: FlagScenario): Pick<ScenarioInput, 'load' | 'duration' | 'warmup' | 'openLoop'> {
  const { inFlight, calls, rate, duration } = flags;
  if (calls !== undefined && duration !== undefined)
    throw new Failure('--calls and --duration both say when to stop: give one of them');
  const slots = inFlight === undefined ? {} : { inFlight };
  if (rate !== undefined) {
    const perSecond = /^[\d.]+$/.test(rate) ? Number(rate) : rate;
    return {
      warmup: flagDefaults.warmup,
      load: { model: 'rate', perSecond },
      duration: duration ?? (calls === undefined ? flagDefaults.duration : timeFor(calls, perSecond)),
      ...(inFlight === undefined ? {} : { openLoop: slots }),
    };
  }
  if (calls !== undefined) return { load: { model: 'count', calls, ...slots } };
  return {
    warmup: flagDefaults.warmup,
    load: { model: 'closed', ...slots },
    duration: duration ?? flagDefaults.duration,
  };
}

// So many calls at a rate are a time. What makes no rate is said about the rate.
function timeFor(calls: number, perSecond: number | string): string {
  const perSec = typeof perSecond === 'number' ? perSecond : parseRate(perSecond);
  if (!Number.isSafeInteger(calls) || calls < 1)
    throw new Failure(`--calls: expected a whole number of at least 1, found ${calls}`);
  const written = writtenDuration(Math.round((calls / (perSec || 1)) * 1e9));
  return durationPattern.test(written) && parseDuration(written) !== null ? written : flagDefaults.duration;
}

const flagAt: readonly (readonly [string, string])[] = [
  ['sessions', '--sessions'],
  ['duration', '--duration'],
  ['openLoop.inFlight', '--in-flight'],
  ['load.inFlight', '--in-flight'],
  ['load.perSecond', '--rate'],
  ['load.calls', '--calls'],
  ['calls.0.tool', '--tool'],
  ['calls.0.arguments', '--arguments'],
];

function locateFlag(path: Path): Place {
  const written = path.join('.');
  const at = flagAt.findIndex(([place]) => written === place || written.startsWith(`${place}.`));
  return {
    at: flagAt[at]?.[1] ?? 'command line',
    path: at < 0 ? path : path.slice(flagAt[at]![0].split('.').length),
    offset: Math.max(0, at),
  };
}
