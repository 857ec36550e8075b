import type { TransportWords } from '../transport/transport-words.js';
import { pipeFindings } from './pipe-findings.js';
import { replyFindings } from './reply-findings.js';
import type { Availability, Note, Oddities, Outcomes, Pipes, Replies, SessionTotals } from './result.js';
import { unavailableFindings } from './unavailable.js';
import { formatAmount, formatDuration, formatElapsed, formatPercent, formatRate } from './units.js';

/** What was measured of the target's behaviour: all that the findings are made from. */
export interface TargetFacts {
  /** Of the transport that was spoken. */
  words: TransportWords;
  phases: readonly TargetPhaseFacts[];
  outcomes: Outcomes;
  oddities: Oddities;
  sessions: SessionTotals;
  /** null where nothing but Streamable HTTP has them. */
  replies: Replies | null;
  /** Responses that came before their call was accepted, out of all with both. */
  responsesBeforeAck: { before: number; all: number };
  /**
   * Responses that came in one read with at least three others of their session, though their calls had been sent
   * apart; null where this was not watched.
   */
  coalescedEvents: { coalesced: number; all: number } | null;
  /** How long at most a closed loop got no answer at all; 0 where there is nothing to it. */
  silentMs: number;
  /** null where it was not watched. */
  availability: Availability | null;
  /** When the measurement began. */
  startedAt: string;
  /** Of stdio alone. */
  pipes?: Pipes | undefined;
  /** One of the lines of standard output that were no JSON. */
  otherLine?: string | undefined;
}

export interface TargetPhaseFacts {
  name: string;
  durationMs: number;
  achievedPerSec: number;
  /** null in a closed loop. */
  offeredPerSec: number | null;
  failed: number;
  notSent: number;
  /** null where the phase has no such samples. */
  responseP50Ns: number | null;
  serviceP50Ns: number | null;
  queueWaitP99Ns: number | null;
  /** Median of `call.response` in each whole interval, in order; empty where the load itself was meant to change. */
  mediansNs: readonly number[];
}

const rateNeeded = 0.99;
const steadyShare = 0.1;
const steadyFloorNs = 1e5;
const steadyIntervals = 10;
const queueFloorNs = 1e6;
const queueShareOfMedian = 0.1;
const coalescedShare = 0.5;
const fewestResponses = 100;

/** What is noteworthy about the target: nothing here makes the measurement doubtful. */
export function findFindings(facts: TargetFacts): Note[] {
  return [
    ...unavailableFindings(facts.availability, facts.startedAt, facts.outcomes.acceptedNoResponse),
    ...facts.phases.flatMap((phase) => [
      ...rateMissed(phase, facts.availability),
      ...notSteady(phase),
      ...queueWaited(phase),
    ]),
    ...fellSilent(facts),
    ...lostAndFound(facts),
    ...lostSessions(facts),
    ...replyFindings(facts),
    ...order(facts),
    ...coalesced(facts),
    ...pipeFindings(facts.pipes, facts.otherLine),
  ];
}

/** Calls due at the very end cannot be answered within the phase: one service time's worth of them, and one call, is no shortfall. */
function rateMissed(phase: TargetPhaseFacts, availability: Availability | null): Note[] {
  const offered = phase.offeredPerSec;
  if (offered === null || phase.durationMs <= 0) return [];
  const answerable = 1 - Math.min(1, (phase.serviceP50Ns ?? 0) / (phase.durationMs * 1e6));
  const needed = offered * rateNeeded * answerable - 1000 / phase.durationMs;
  if (phase.achievedPerSec >= needed) return [];
  const failed = phase.failed - phase.notSent;
  const why = [
    failed > 0 ? `${formatAmount(failed, 'call')} failed` : '',
    phase.notSent > 0 ? `${formatAmount(phase.notSent, 'call')} could not even be sent` : '',
  ].filter(Boolean);
  const cause = why.length > 0 ? ` (${why.join(', ')})` : '';
  const keptUp = phase.achievedPerSec + (failed * 1000) / phase.durationMs >= needed;
  const meaning = keptUp
    ? 'the server kept up, but failed calls do not count as throughput. See the errors.'
    : isDownFor(availability, 1 - rateNeeded)
      ? 'for a part of the time the server answered nothing at all, see above.'
      : 'the server cannot keep up, and its latency here is that of a growing queue. Offer less load to see its latency while it keeps up.';
  return [
    note(
      'rate-not-achieved',
      `phase ${phase.name}: ${formatRate(phase.achievedPerSec)} of the ${formatRate(offered)} calls/s offered ended ok, ${formatPercent(phase.achievedPerSec / offered)}${cause}: ${meaning}`,
    ),
  ];
}

function notSteady(phase: TargetPhaseFacts): Note[] {
  if (phase.mediansNs.length < steadyIntervals) return [];
  const half = Math.floor(phase.mediansNs.length / 2);
  const first = phase.mediansNs.slice(0, half).sort((a, b) => a - b);
  const before = at(first, 0.5);
  const after = at(
    phase.mediansNs.slice(-half).sort((a, b) => a - b),
    0.5,
  );
  const marginNs = Math.max(steadyFloorNs, steadyShare * before);
  if (after <= at(first, 0.75) + marginNs && after >= at(first, 0.25) - marginNs) return [];
  const slower = after > before;
  return [
    note(
      'not-steady',
      `phase ${phase.name}: the median went from ${formatDuration(before)} in the first half to ${formatDuration(after)} in the second, so one figure for both says little: ${
        slower
          ? 'a leak, a growing queue or a full cache? Run longer to see where it ends.'
          : 'the server was still warming up. Give it a longer warm-up.'
      }`,
    ),
  ];
}

function queueWaited(phase: TargetPhaseFacts): Note[] {
  const waitNs = phase.queueWaitP99Ns;
  if (waitNs === null || phase.offeredPerSec === null) return [];
  if (waitNs <= Math.max(queueFloorNs, queueShareOfMedian * (phase.responseP50Ns ?? 0))) return [];
  return [
    note(
      'queue-waited',
      `phase ${phase.name}: calls waited up to ${formatDuration(waitNs)} (p99) for a free slot or connection, because the server had not answered the calls before them: for a time at least it is slower than the load. call.response contains this wait, call.service does not.`,
    ),
  ];
}

/** A closed loop waits with its server: of a long silence it makes few failed calls, and good percentiles. */
function fellSilent({ silentMs, availability }: TargetFacts): Note[] {
  if (silentMs === 0 || availability?.gone) return [];
  return [
    note(
      'fell-silent',
      `for ${formatElapsed(silentMs)} the server answered nothing, and this closed loop waited with it: few calls failed, but the percentiles cover only the rest of the time. Was it frozen, or stuck?`,
    ),
  ];
}

function lostAndFound({ outcomes, oddities, words }: TargetFacts): Note[] {
  const [stream, streams, cause] = words.truncated;
  const [stray, strays, strayCause] = words.stray;
  const found: [number, string, string, string][] = [
    [
      outcomes.acceptedNoResponse,
      'responses-lost',
      'call was accepted and never answered|calls were accepted and never answered',
      'the server dropped the responses, or is slower than the time limit of a call.',
    ],
    [
      oddities.duplicate,
      'responses-duplicated',
      'response came a second time|responses came a second time',
      'the server, or a gateway before it, sends some responses twice.',
    ],
    [
      oddities.foreign,
      'responses-misrouted',
      'response had an id that its session never sent|responses had an id that their session never sent',
      'the server mixes up sessions, or sends responses to all of them: data of one client reaches another.',
    ],
    [
      oddities.late,
      'responses-late',
      'response came after its call had been given up|responses came after their calls had been given up',
      'raise timeouts.call to learn how long they really take.',
    ],
    [
      oddities.coercedId,
      'ids-coerced',
      'response had its id turned from number to string or back|responses had their id turned from number to string or back',
      'JSON-RPC requires the id exactly as it was sent; a strict client would not match these to its calls.',
    ],
    [
      oddities.malformedEvent + outcomes.invalidResponse,
      'malformed-events',
      words.malformed.join('|'),
      'see the examples for what came instead.',
    ],
    [oddities.truncatedEvent, 'truncated-events', `${stream}|${streams}`, cause],
    [oddities.strayAnswer ?? 0, 'stray-answers', `${stray}|${strays}`, strayCause],
  ];
  return found.flatMap(([count, code, what, means]) =>
    count > 0
      ? [note(code, `${formatAmount(count, ...(what.split('|') as [string, string]))}: ${means}`)]
      : [],
  );
}

function isDownFor(availability: Availability | null, share: number): boolean {
  return availability !== null && availability.share !== null && availability.share < 1 - share;
}

function lostSessions({ sessions, availability, words, oddities }: TargetFacts): Note[] {
  const notes: Note[] = [];
  // They were attempts to come back to a server that was not there.
  const whileDown = isDownFor(availability, 0) && sessions.failed <= sessions.reconnects;
  if (sessions.failed > 0)
    notes.push(
      note(
        'sessions-failed',
        `${formatAmount(sessions.failed, 'session')} of ${formatAmount(sessions.opened, 'opened', 'opened')} never became ready (${reasons(sessions.failures)}): ${
          whileDown
            ? 'they should have replaced lost ones while the server was down.'
            : 'open them more slowly (sessions.open), or see what the server refuses.'
        }`,
      ),
    );
  // Those that the server forgot have a finding of their own.
  const lost = sessions.dropped - (oddities.sessionLost ?? 0);
  if (lost > 0)
    notes.push(
      note(
        'sessions-lost',
        `${formatAmount(lost, 'session')} lost ${lost === 1 ? 'its' : 'their'} ${words.lost}, and the calls in flight on it failed.`,
      ),
    );
  return notes;
}

function reasons(failures: Record<string, number>): string {
  const kinds = Object.entries(failures).sort(([, a], [, b]) => b - a);
  return kinds.length === 0
    ? 'no reason given'
    : kinds.map(([kind, count]) => `${kind}: ${count}`).join(', ');
}

function order({ responsesBeforeAck: { before, all }, words }: TargetFacts): Note[] {
  if (all === 0 || before / all < 0.5) return [];
  const share = `${formatPercent(before / all)} of the responses came ${words.beforeAck}`;
  // Under load the two race each other even where the acceptance is written first, as with the TypeScript SDK.
  if (before / all < 0.9)
    return [note('acks-race', `${share}: call.eventToAck covers these, call.ackToEvent only the others.`)];
  return [
    note(
      'acks-after-work',
      `${share}: the server acknowledges a call when the work is done, so call.ack includes the work, and call.ackToEvent says little.`,
    ),
  ];
}

function coalesced({ coalescedEvents, words }: TargetFacts): Note[] {
  if (coalescedEvents === null || coalescedEvents.all < fewestResponses) return [];
  const share = coalescedEvents.coalesced / coalescedEvents.all;
  if (share < coalescedShare) return [];
  return [
    note(
      'events-in-bursts',
      `${formatPercent(share)} of the responses arrived together with others, although their calls were sent apart: ${words.buffered}`,
    ),
  ];
}

/** The value at a share of a sorted list. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function note(code: string, message: string): Note {
  return { code, message };
}
