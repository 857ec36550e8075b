import { expect, test } from 'vitest';
import { sseKind } from '../transport/sse/sse-kind.js';
import { plainWords } from '../transport/transport-words.js';
import type { TargetFacts, TargetPhaseFacts } from './findings.js';
import { findFindings } from './findings.js';
import type { Replies } from './result.js';
import { sampleAvailability, sampleOddities, sampleOutcomes, sampleResult } from './result.fixture.js';

const phase: TargetPhaseFacts = {
  name: 'main',
  durationMs: 20_000,
  achievedPerSec: 500,
  offeredPerSec: 500,
  failed: 0,
  notSent: 0,
  responseP50Ns: 5e6,
  serviceP50Ns: 5e6,
  queueWaitP99Ns: 20e3,
  mediansNs: Array.from({ length: 20 }, (_, second) => 5e6 + (second % 4) * 1e5),
};

const good: TargetFacts = {
  words: sseKind.words,
  phases: [phase],
  outcomes: sampleOutcomes({ ok: 10_000 }),
  oddities: sampleOddities(),
  sessions: sampleResult().sessions,
  replies: null,
  responsesBeforeAck: { before: 10, all: 10_000 },
  coalescedEvents: { coalesced: 100, all: 10_000 },
  silentMs: 0,
  availability: sampleAvailability(),
  startedAt: '2026-11-18T07:03:12.345Z',
};

const noReplies: Replies = {
  json: 0,
  events: 10_000,
  priming: 0,
  resumed: 0,
  resumeRefused: 0,
  jsonAsEvents: 0,
  listenRefused: 0,
  deleted: 10,
  deleteRefused: 0,
  left: 0,
  inputRounds: 0,
};
const withReplies = (change: Partial<Replies>): Partial<TargetFacts> => ({
  replies: { ...noReplies, ...change },
});

const withPhase = (change: Partial<TargetPhaseFacts>): Partial<TargetFacts> => ({
  phases: [{ ...phase, ...change }],
});
const halves = (first: number, second: number): number[] => [
  ...Array.from({ length: 10 }, () => first),
  ...Array.from({ length: 10 }, () => second),
];

const cases: [string, Partial<TargetFacts>, string[]][] = [
  ['nothing noteworthy', {}, []],
  ['99 % achieved', withPhase({ achievedPerSec: 495 }), []],
  ['98 % achieved', withPhase({ achievedPerSec: 490 }), ['rate-not-achieved']],
  [
    'slow, yet answered as far as the phase allows',
    withPhase({ achievedPerSec: 471, serviceP50Ns: 1e9 }),
    [],
  ],
  ['slow, and falling behind', withPhase({ achievedPerSec: 460, serviceP50Ns: 1e9 }), ['rate-not-achieved']],
  ['one call short of a few', withPhase({ offeredPerSec: 1, achievedPerSec: 0.95 }), []],
  ['a closed loop offers nothing', withPhase({ offeredPerSec: null, queueWaitP99Ns: 1e9 }), []],
  ['a median that wanders a little', withPhase({ mediansNs: halves(5e6, 5.4e6) }), []],
  ['a median that grows', withPhase({ mediansNs: halves(5e6, 5.6e6) }), ['not-steady']],
  ['a median that falls', withPhase({ mediansNs: halves(5e6, 4.4e6) }), ['not-steady']],
  ['a change too small to matter', withPhase({ mediansNs: halves(100e3, 180e3) }), []],
  ['too short to tell', withPhase({ mediansNs: halves(5e6, 9e6).slice(6, 15) }), []],
  [
    'a median as wild in the first half as in the second',
    withPhase({
      mediansNs: [
        ...Array.from({ length: 10 }, (_, i) => 4e6 + i * 0.5e6),
        ...Array.from({ length: 10 }, () => 8e6),
      ],
    }),
    [],
  ],
  ['a queue', withPhase({ queueWaitP99Ns: 3e6 }), ['queue-waited']],
  ['a queue short beside the service', withPhase({ queueWaitP99Ns: 3e6, responseP50Ns: 100e6 }), []],
  ['lost', { outcomes: sampleOutcomes({ acceptedNoResponse: 1 }) }, ['responses-lost']],
  ['twice', { oddities: sampleOddities({ duplicate: 2 }) }, ['responses-duplicated']],
  ['misrouted', { oddities: sampleOddities({ foreign: 3 }) }, ['responses-misrouted']],
  ['late', { oddities: sampleOddities({ late: 4 }) }, ['responses-late']],
  ['coerced', { oddities: sampleOddities({ coercedId: 5 }) }, ['ids-coerced']],
  ['malformed', { oddities: sampleOddities({ malformedEvent: 6 }) }, ['malformed-events']],
  ['invalid', { outcomes: sampleOutcomes({ invalidResponse: 7 }) }, ['malformed-events']],
  ['truncated', { oddities: sampleOddities({ truncatedEvent: 8 }) }, ['truncated-events']],
  ['answered twice', { oddities: sampleOddities({ strayAnswer: 8 }) }, ['stray-answers']],
  [
    'what the protocol allows',
    { oddities: sampleOddities({ serverRequest: { ping: 9 }, notification: { x: 1 } }) },
    [],
  ],
  [
    'sessions failed',
    { sessions: { ...good.sessions, failed: 3, failures: { 'connection refused': 3 } } },
    ['sessions-failed'],
  ],
  ['sessions lost', { sessions: { ...good.sessions, dropped: 1 } }, ['sessions-lost']],
  ['sessions that were ended as they should be', withReplies({}), []],
  ['sessions that could not be ended', withReplies({ deleteRefused: 10 }), ['sessions-left']],
  ['sessions that were just left', withReplies({ left: 2 }), ['sessions-left']],
  [
    'sessions that the server forgot',
    {
      ...withReplies({}),
      oddities: sampleOddities({ sessionLost: 2 }),
      sessions: { ...good.sessions, dropped: 2 },
    },
    ['sessions-forgotten'],
  ],
  [
    'sessions that the server forgot, and one that was lost otherwise',
    {
      ...withReplies({}),
      oddities: sampleOddities({ sessionLost: 2 }),
      sessions: { ...good.sessions, dropped: 3 },
    },
    ['sessions-lost', 'sessions-forgotten'],
  ],
  ['JSON that is announced as events', withReplies({ jsonAsEvents: 1 }), ['json-as-events']],
  ['replies that do not go on', withReplies({ resumed: 3, resumeRefused: 2 }), ['resumptions-refused']],
  [
    'what Streamable HTTP allows',
    withReplies({ priming: 9, resumed: 9, listenRefused: 1, inputRounds: 3 }),
    [],
  ],
  ['acknowledged in any order', { responsesBeforeAck: { before: 6_000, all: 10_000 } }, ['acks-race']],
  ['acknowledged last', { responsesBeforeAck: { before: 9_000, all: 10_000 } }, ['acks-after-work']],
  ['nothing acknowledged', { responsesBeforeAck: { before: 0, all: 0 } }, []],
  ['coalesced', { coalescedEvents: { coalesced: 6_000, all: 10_000 } }, ['events-in-bursts']],
  ['coalesced, but few', { coalescedEvents: { coalesced: 60, all: 80 } }, []],
  [
    'gone for good, which is said once, and whose sessions are not to be opened more slowly',
    {
      silentMs: 3000,
      availability: sampleAvailability({
        share: 0.5,
        downMs: 7500,
        longestDown: { atMs: 7500, durationMs: 7500 },
        downSinceMs: 7500,
        gone: 'connection refused',
      }),
    },
    ['target-gone'],
  ],
  ['silent for a while', { silentMs: 3000 }, ['fell-silent']],
  ['coalescing not watched', { coalescedEvents: null }, []],
];

test.each(cases)('%s', (_, change, codes) => {
  expect(findFindings({ ...good, ...change }).map((note) => note.code)).toEqual(codes);
});

test('what is only true of HTTP+SSE is not said of another transport', () => {
  const odd: TargetFacts = {
    ...good,
    oddities: sampleOddities({ malformedEvent: 1, truncatedEvent: 2 }),
    sessions: { ...good.sessions, dropped: 3 },
    responsesBeforeAck: { before: 9, all: 10 },
    coalescedEvents: { coalesced: 9_000, all: 10_000 },
  };
  const ofHttp = /2xx|POST|stream|event|proxy/;
  const said = (words: TargetFacts['words']): string[] =>
    findFindings({ ...odd, words }).map(({ message }) => message.replaceAll('call.ackToEvent', ''));
  expect(said(sseKind.words)).toHaveLength(5);
  for (const message of said(sseKind.words)) expect(message).toMatch(ofHttp);
  for (const message of said(plainWords)) expect(message).not.toMatch(ofHttp);
});

test('a finding gives figures, cause and consequence', () => {
  const facts = { ...good, ...withPhase({ achievedPerSec: 250, failed: 1_200, notSent: 1_000 }) };
  expect(findFindings(facts)[0]?.message).toBe(
    'phase main: 250 of the 500 calls/s offered ended ok, 50 % (200 calls failed, 1,000 calls could not even be sent): the server cannot keep up, and its latency here is that of a growing queue. Offer less load to see its latency while it keeps up.',
  );
  const failing = { ...good, ...withPhase({ achievedPerSec: 300, failed: 4_000 }) };
  expect(findFindings(failing)[0]?.message).toBe(
    'phase main: 300 of the 500 calls/s offered ended ok, 60 % (4,000 calls failed): the server kept up, but failed calls do not count as throughput. See the errors.',
  );
  expect(findFindings({ ...good, oddities: sampleOddities({ foreign: 1 }) })[0]?.message).toMatch(
    /^1 response had an id that its session never sent: /,
  );
});

test('how sessions ended without being ended is said', () => {
  const message = (change: Partial<Replies>, abandoned = 0): string | undefined =>
    findFindings({ ...good, ...withReplies(change), sessions: { ...good.sessions, abandoned } })[0]?.message;
  expect(message({ deleteRefused: 3 })).toMatch(
    /^3 sessions ended without a DELETE .*3 because it refused\)/,
  );
  expect(message({ left: 1 })).toMatch(/^1 session ended .*\(1 not answered in time\)/);
  expect(message({ deleteRefused: 1, left: 4 }, 4)).toMatch(
    /^5 sessions .*\(1 because it refused, 4 abandoned, or not answered in time\)/,
  );
});
