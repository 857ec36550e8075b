import type { StatsSnapshot } from '../../mock-server/stats.js';
import type { RunResult } from '../../src/result/result.js';
import { addOutcomes, noOutcomes } from '../../src/stats/outcomes.js';
import { type Entry, exact, sum, within } from './entry.js';

/**
 * Holds the client's books against the mock's over Streamable HTTP. A call has a reply of its own, so that little is open: what went with a
 * connection that was cut or given up, with a session that was forgotten, and on the sessions' own streams when they ended.
 */
export function streamableBooks(result: RunResult, mock: StatsSnapshot): Entry[] {
  const { totals, warmup, sessions } = result;
  const outcomes = noOutcomes();
  addOutcomes(outcomes, totals.outcomes);
  addOutcomes(outcomes, warmup.outcomes);
  const { oddities } = totals;
  const replies = totals.replies!;
  const { injected, streamable } = mock;
  const { disconnected, timeout, acceptedNoResponse, notSent, ok } = outcomes;
  const { toolError, checkFailed, invalidResponse, aborted } = outcomes;
  const sent = totals.sent + warmup.sent;
  const gone = disconnected + timeout + acceptedNoResponse + aborted;
  const refused = sum(Object.values(outcomes.httpError));
  const forgotten = outcomes.httpError['404'] ?? 0;
  const rpcErrors = sum(Object.values(outcomes.rpcError));
  const received = mock.messages.byMethod;
  const calls = (received['tools/call'] ?? 0) + (received['tools/list'] ?? 0);
  // A run asks before it begins who the server is, and which arguments its tools want in headers.
  const asked = result.target.era === 'stateless' ? 2 : 0;
  const ended = ok + toolError + checkFailed + invalidResponse + rpcErrors + replies.inputRounds;
  const seen = ended + oddities.duplicate + oddities.late + oddities.foreign + oddities.nullIdError;
  const handshakes = received['initialize'] ?? 0;
  const faulty = injected.lost + injected.misrouted + injected.cut + injected.unansweredPost;
  const upTo = (what: string, counted: number, count: number, lost = gone): Entry =>
    within(what, counted, count - lost, count);
  return [
    within(
      'calls received by the mock, of those sent, with their rounds',
      calls,
      sent + replies.inputRounds - gone,
      sent + replies.inputRounds + asked,
    ),
    exact('calls never sent', notSent, totals.started + warmup.started - sent),
    upTo('POSTs refused on purpose', outcomes.httpError['503'] ?? 0, injected.httpError),
    exact(
      'POSTs refused otherwise than by a lost session',
      refused - forgotten,
      outcomes.httpError['503'] ?? 0,
    ),
    within(
      'POSTs refused because their session was lost',
      forgotten,
      streamable.sessionsLost - gone,
      8 * streamable.sessionsLost,
    ),
    upTo('sessions lost', oddities.sessionLost ?? 0, streamable.sessionsLost),
    within(
      'sessions at the mock',
      streamable.sessionsCreated,
      result.target.era === 'stateless' ? 0 : sessions.ready,
      sessions.opened,
    ),
    exact('sessions ended', replies.deleted, streamable.sessionsDeleted),
    upTo('JSON-RPC errors', rpcErrors, injected.rpcError),
    upTo('tool errors', toolError, injected.toolError),
    exact('responses that fail their check', checkFailed + invalidResponse, 0),
    within(
      'calls without a response, of those lost, cut, misrouted and unanswered',
      gone,
      faulty - injected.unansweredPost - forgotten,
      // Whoever is given up before the response has its connection closed: the mock sees that.
      faulty + mock.lateWrites + mock.calls.cancelled,
    ),
    upTo('duplicates', oddities.duplicate, injected.duplicate),
    upTo('foreign responses, of misrouted ones', oddities.foreign, injected.misrouted),
    upTo(
      'responses seen, of those sent',
      seen + handshakes,
      mock.responsesSent,
      2 * gone + 8 * streamable.sessionsLost + asked,
    ),
    upTo('questions answered on the way', replies.inputRounds, streamable.inputRequired),
    upTo(
      'replies that went on elsewhere',
      streamable.resumes,
      replies.resumed,
      replies.resumed - streamable.disconnects,
    ),
    within('priming events', replies.priming, streamable.primes - gone - forgotten, streamable.primes),
    upTo('requests of the server', oddities.serverRequest['ping'] ?? 0, mock.serverRequestsSent),
    upTo(
      'notifications',
      sum(Object.values(oddities.notification)),
      mock.notificationsSent,
      gone + 2 * sessions.opened,
    ),
    exact('malformed events', oddities.malformedEvent, 0),
    exact('ids of another type', oddities.coercedId, 0),
  ];
}
