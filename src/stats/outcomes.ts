import { cut, longestName } from '../text/cut.js';

/** How calls ended; each started call is counted in exactly one of these. */
export interface Outcomes {
  ok: number;
  toolError: number;
  rpcError: Record<string, number>;
  httpError: Record<string, number>;
  checkFailed: number;
  invalidResponse: number;
  timeout: number;
  acceptedNoResponse: number;
  disconnected: number;
  cancelled: number;
  aborted: number;
  notSent: number;
  /** The server asked for input that the scenario does not give; only there where it happened. */
  inputRequired?: number;
}

/** The outcomes that need no code to tell them apart. */
export type PlainOutcome = Exclude<keyof Outcomes, 'rpcError' | 'httpError'>;

export function noOutcomes(): Outcomes {
  return {
    ok: 0,
    toolError: 0,
    rpcError: {},
    httpError: {},
    checkFailed: 0,
    invalidResponse: 0,
    timeout: 0,
    acceptedNoResponse: 0,
    disconnected: 0,
    cancelled: 0,
    aborted: 0,
    notSent: 0,
  };
}

/** Adds `more` to `sum`, which it changes. */
export function addOutcomes(sum: Outcomes, more: Outcomes): void {
  for (const [name, value] of Object.entries(more)) {
    const key = name as keyof Outcomes;
    if (key === 'rpcError' || key === 'httpError') addCounts(sum[key], more[key]);
    else sum[key] = (sum[key] ?? 0) + (value as number);
  }
}

/** All calls that ended, however they did. */
export function countOutcomes(outcomes: Outcomes): number {
  let sum = 0;
  for (const value of Object.values(outcomes) as (number | Record<string, number>)[]) {
    if (typeof value === 'number') sum += value;
    else for (const count of Object.values(value)) sum += count;
  }
  return sum;
}

/** The calls that the server answered, well or badly: a response or a refusal ended them. */
export function countAnswered(outcomes: Outcomes): number {
  const { ok, toolError, rpcError, httpError, checkFailed, invalidResponse, inputRequired = 0 } = outcomes;
  return countOutcomes({
    ...noOutcomes(),
    ok,
    toolError,
    rpcError,
    httpError,
    checkFailed,
    invalidResponse,
    inputRequired,
  });
}

/** Adds counts by name to `sum`, which it changes. */
export function addCounts(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sum[name] = countOf(sum, name) + count;
}

/** Beyond so many names the server makes them up, and they are counted together. */
const mostNames = 100;

/**
 * Counts one more of a name that the server chose, whatever it is, and says under which name: names cost memory, and may be those of an
 * object's own parts.
 */
export function countName(counts: Record<string, number>, name: string): string {
  const short = cut(name, longestName);
  const isNew = !Object.hasOwn(counts, short);
  const kept = isNew && (short === '__proto__' || Object.keys(counts).length >= mostNames) ? 'others' : short;
  counts[kept] = countOf(counts, kept) + 1;
  return kept;
}

function countOf(counts: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(counts, name) ? counts[name]! : 0;
}
