import { outcomeKinds } from '../../result/conservation.js';
import type { RunResult } from '../../result/result.js';
import { transportOf } from '../../result/transport-of.js';

export interface ErrorRow {
  /** `httpError 503`, `timeout`, `session connect`. */
  kind: string;
  count: number;
  /** Of the calls started, or of the sessions opened. */
  share: number;
  example: string | null;
}

const meanings: Record<string, string> = {
  toolError: 'the tool said isError',
  rpcError: 'JSON-RPC error',
  checkFailed: 'the response was not what was expected',
  invalidResponse: 'the response was not valid JSON-RPC',
  disconnected: 'the connection ended first',
  cancelled: 'cancelled by us after its time',
  aborted: 'in flight when the run was cut short',
  notSent: 'no byte of it left',
  inputRequired: 'the server asked for input that the scenario does not give',
};

/** Every kind of call and session that did not end well, the most frequent first, each with an example or its meaning. */
export function errorRows(result: RunResult): ErrorRow[] {
  const { words } = transportOf(result.target);
  const calls = outcomeKinds(result.totals.outcomes)
    .filter(({ outcome, count }) => outcome !== 'ok' && count > 0)
    .map(({ key, outcome, count }) => ({
      kind: key,
      count,
      share: count / Math.max(1, result.totals.started),
      example: result.examples[key] ?? words.outcomes[outcome] ?? meanings[outcome] ?? null,
    }));
  const sessions = Object.entries({ ...result.sessions.failures, dropped: result.sessions.dropped })
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({
      kind: `session ${kind}`,
      count,
      share: count / Math.max(1, result.sessions.opened),
      example: result.examples[`session ${kind}`] ?? null,
    }));
  const byCount = (a: ErrorRow, b: ErrorRow): number => b.count - a.count;
  return [...calls.sort(byCount), ...sessions.sort(byCount)];
}

/** What else came that no call asked for, as `name count`; empty where there was nothing. */
export function oddityTexts(result: RunResult): string[] {
  const odd = Object.entries(result.totals.oddities).flatMap(([name, counted]) => {
    if (typeof counted === 'number') return counted > 0 ? [`${name} ${counted}`] : [];
    return Object.entries(counted as Record<string, number>).map(
      ([method, count]) => `${name} ${method} ${count}`,
    );
  });
  const replies = Object.entries(result.totals.replies ?? {}).flatMap(([name, count]) =>
    count > 0 && !expected.has(name) ? [`${name} ${count}`] : [],
  );
  return [...odd, ...replies];
}

// Of replies, what is as it should be.
const expected = new Set(['json', 'events', 'deleted']);
