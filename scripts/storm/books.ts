import type { StatsSnapshot } from '../../mock-server/stats.js';
import type { RunResult } from '../../src/result/result.js';
import { addOutcomes, countOutcomes, noOutcomes } from '../../src/stats/outcomes.js';
import { type Entry, exact, sum, within } from './entry.js';
import { streamableBooks } from './streamable-books.js';

/**
 * Holds the client's books against themselves and against the mock's. What a cut stream takes with it can be known to neither
 * side, so that some counts have bounds: as wide as the number of calls that ended with their stream or ran out of time.
 */
export function balance(result: RunResult, mock: StatsSnapshot): Entry[] {
  const both = result.target.transport === 'streamable' ? streamableBooks : bothBooks;
  return [...ownBooks(result), ...both(result, mock)];
}

function ownBooks({ totals, warmup, phases, operations, intervals, sessions }: RunResult): Entry[] {
  const { started, outcomes } = totals;
  const ends = intervals.map(({ totals: of }) => of.ok + of.failed + of.notSent);
  return [
    exact('calls started = sum of outcomes', countOutcomes(outcomes), started),
    exact('the same of the warm-up', countOutcomes(warmup.outcomes), warmup.started),
    exact('the same by phase', sum(phases.map((phase) => countOutcomes(phase.totals.outcomes))), started),
    exact('the same by operation', sum(operations.map((each) => countOutcomes(each.outcomes))), started),
    exact('the same by second', sum(ends), started),
    exact('sent = started − notSent', totals.sent, started - outcomes.notSent),
    exact('sessions opened = ready + failed', sessions.ready + sessions.failed, sessions.opened),
  ];
}

function bothBooks(result: RunResult, mock: StatsSnapshot): Entry[] {
  const { totals, warmup, sessions } = result;
  const outcomes = noOutcomes();
  addOutcomes(outcomes, totals.outcomes);
  addOutcomes(outcomes, warmup.outcomes);
  const { oddities } = totals;
  const { injected } = mock;
  const { disconnected, timeout, acceptedNoResponse, aborted, notSent, ok } = outcomes;
  const { toolError, checkFailed, invalidResponse } = outcomes;
  const sent = totals.sent + warmup.sent;
  const gone = disconnected + aborted + timeout;
  const refused = sum(Object.values(outcomes.httpError));
  const rpcErrors = sum(Object.values(outcomes.rpcError));
  const unanswered = injected.lost + injected.misrouted;
  const answered = ok + toolError + checkFailed + invalidResponse + rpcErrors;
  const seen = answered + oddities.duplicate + oddities.late + oddities.foreign + oddities.nullIdError;
  const received = mock.messages.byMethod;
  const calls = (received['tools/call'] ?? 0) + (received['tools/list'] ?? 0);
  const upTo = (what: string, counted: number, count: number, lost = gone): Entry =>
    within(what, counted, count - lost, count);
  return [
    upTo('calls received by the mock, of those sent', calls, sent),
    exact('calls never sent', notSent, totals.started + warmup.started - sent),
    exact('streams lost = streams cut', sessions.dropped, injected.cut),
    exact('streams closed by the mock', mock.sessions.closedByServer, injected.cut),
    within('sessions at the mock', mock.sessions.opened, sessions.ready, sessions.opened),
    upTo('POSTs refused on purpose', outcomes.httpError['503'] ?? 0, injected.httpError),
    within(
      'POSTs refused because their stream was cut',
      refused - (outcomes.httpError['503'] ?? 0),
      0,
      4 * injected.cut,
    ),
    upTo('JSON-RPC errors', rpcErrors, injected.rpcError),
    upTo('tool errors', toolError, injected.toolError),
    exact('responses that fail their check', checkFailed + invalidResponse, 0),
    within(
      'calls without a response, of lost and misrouted ones',
      acceptedNoResponse + timeout,
      unanswered - disconnected,
      unanswered + oddities.late + mock.lateWrites,
    ),
    upTo('duplicates', oddities.duplicate, injected.duplicate),
    upTo('foreign responses, of misrouted ones', oddities.foreign, injected.misrouted),
    upTo(
      'responses seen, of those sent',
      seen + sessions.ready,
      mock.responsesSent,
      2 * gone + oddities.foreign,
    ),
    upTo(
      'requests of the server',
      oddities.serverRequest['ping'] ?? 0,
      mock.serverRequestsSent,
      sessions.dropped + sessions.closed,
    ),
    upTo(
      'notifications',
      sum(Object.values(oddities.notification)),
      mock.notificationsSent,
      sessions.dropped + sessions.closed,
    ),
    exact('malformed events', oddities.malformedEvent, 0),
    exact('ids of another type', oddities.coercedId, 0),
  ];
}
