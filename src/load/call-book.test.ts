import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nowNs } from '../clock.js';
import { toldContext } from '../mcp/session-context.fixture.js';
import { idOf, methodOf, type Sent, type ToldChannel } from '../mcp/told-channel.fixture.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { countOutcomes } from '../stats/outcomes.js';
import type { Edge } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { CallBook } from './call-book.js';
import { Session } from './session.js';
import { Workload } from './workload.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

const ms = 1e6;

/** A book, and the sessions that its calls are made in, over channels that the test holds in its hand. */
class Desk {
  readonly context = toldContext();
  /** The numbers of the calls whose slots have become free, in that order. */
  readonly freed: number[] = [];
  readonly book: CallBook;
  private calls = 0;
  private serials = 0;

  constructor(call: Partial<ScenarioInput['calls'][number]> = {}) {
    const plan = planScenario({
      name: 'book',
      target: { url: 'http://127.0.0.1:1/sse' },
      sessions: 1,
      duration: '1s',
      load: { model: 'closed', inFlight: 1 },
      calls: [{ tool: 'echo', arguments: { message: 'hi' }, timeout: '5s', ...call }],
    } as ScenarioInput);
    const parts = {
      ...this.context,
      workload: new Workload(plan),
      slots: new SlotRecorder(),
      connectLimitNs: 2000 * ms,
    };
    this.book = new CallBook(parts, {
      onMoment: () => {},
      onSlotFree: (session) => this.freed.push(session.ordinal),
    });
  }

  /** A session that is ready, and its channel. */
  session(ordinal = 0): { session: Session; channel: ToldChannel } {
    const owner = {
      onSessionReady: () => {},
      onSessionFailed: () => {},
      onSessionForgotten: () => {},
      onSessionDropped: () => {},
    };
    const session = new Session(this.context, this.book, owner, ordinal, ++this.serials, nowNs());
    session.open();
    const channel = this.context.transport.last;
    channel.becomesReady();
    return { session, channel };
  }

  /** Starts a call that is due now; what the channel was given to send for it. */
  call({ session, channel }: { session: Session; channel: ToldChannel }, lateMs = 0): Sent {
    const foundNs = nowNs();
    const intendedNs = foundNs - lateMs * ms;
    this.book.start({ seq: this.calls++, operation: 0, phase: 0, intendedNs, foundNs }, session);
    return channel.last;
  }

  /** How many calls started, and those outcomes that there were. */
  get counts(): Record<string, unknown> {
    const { started, outcomes } = this.context.recorder.tally(0, 0);
    const some = Object.entries(outcomes).filter(([, count]) =>
      typeof count === 'number' ? count > 0 : Object.keys(count).length > 0,
    );
    return { started, ...Object.fromEntries(some) };
  }

  get example(): string | undefined {
    return Object.values(this.context.recorder.examples)[0];
  }

  /** By metric: how many were timed, and the longest in milliseconds. */
  get times(): Record<string, [count: number, ms: number]> {
    return this.timesAt('seen');
  }

  timesAt(wanted: Edge): Record<string, [count: number, ms: number]> {
    const { calls } = this.context.recorder.takeInterval();
    return Object.fromEntries(
      calls
        .filter(({ edge }) => edge === wanted)
        .map(({ metric, histogram }) => [metric, [histogram.count, histogram.maxNs / ms]]),
    );
  }

  pass(forMs: number): void {
    vi.advanceTimersByTime(forMs);
    this.book.sweep(nowNs());
  }
}

test.each(['seen', 'least'] as const)(
  'a call that fails, too, is timed from when it was due (%s), and at the least without what the generator was late',
  (edge) => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at, 30);
    desk.pass(20);
    at.channel.says({ jsonrpc: '2.0', id: idOf(call), error: { code: -32603, message: 'no' } });
    expect(desk.timesAt(edge)).toEqual({ 'failed.response': [1, edge === 'seen' ? 50 : 20] });
  },
);

describe('a call that ends ok', () => {
  test('is timed from being sent to its response, and its acceptance apart', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    expect([desk.book.inFlight, at.session.inFlight]).toEqual([1, 1]);
    desk.pass(20);
    at.channel.accepts(call);
    desk.pass(30);
    at.channel.answers(call);
    expect([desk.book.inFlight, at.session.inFlight]).toEqual([0, 0]);
    expect([desk.counts, desk.freed]).toEqual([{ started: 1, ok: 1 }, [0]]);
    expect(desk.times).toMatchObject({
      'call.response': [1, 50],
      'call.service': [1, 50],
      'call.ack': [1, 20],
      'call.ackToEvent': [1, 30],
    });
  });

  test('may be accepted after it was answered: until then that is owed', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.answers(call);
    expect([desk.counts, desk.freed, desk.book.owed]).toEqual([{ started: 1, ok: 1 }, [0], 1]);
    desk.pass(40);
    at.channel.accepts(call);
    expect(desk.book.owed).toBe(0);
    expect(desk.times).toMatchObject({ 'call.ack': [1, 40], 'call.eventToAck': [1, 40] });
  });

  test('an acceptance that is owed for too long is given up, and changes nothing', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.answers(call);
    desk.pass(4999);
    expect([desk.book.owed, at.channel.givenUp]).toEqual([1, []]);
    desk.pass(1);
    expect([desk.book.owed, at.channel.givenUp]).toEqual([0, [call.by]]);
    expect(desk.counts).toEqual({ started: 1, ok: 1 });
  });

  test('its response may come along with the acceptance', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    const reply = { jsonrpc: '2.0', id: idOf(call), result: {} };
    at.channel.accepts(call);
    call.by.onReply(Buffer.from(JSON.stringify(reply)), nowNs());
    expect(desk.counts).toEqual({ started: 1, ok: 1 });
  });
});

describe('a reply that is a stream', () => {
  test('times its first message and its end besides; until then the call is owed', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    desk.pass(10);
    at.channel.accepts(call, '', 'events');
    desk.pass(5);
    call.by.onFirstMessage(nowNs());
    desk.pass(5);
    at.channel.answers(call);
    expect([desk.counts, desk.freed, desk.book.owed]).toEqual([{ started: 1, ok: 1 }, [0], 1]);
    desk.pass(7);
    at.channel.endsReply(call);
    expect(desk.book.owed).toBe(0);
    expect(desk.times).toMatchObject({
      'call.ack': [1, 10],
      'call.firstEvent': [1, 15],
      'call.service': [1, 20],
      'call.release': [1, 7],
    });
  });

  test('that ends without a response is all that was to be waited for', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.accepts(call, 'as text/plain', 'events');
    at.channel.endsReply(call);
    expect([desk.counts, desk.freed, desk.book.owed]).toEqual([
      { started: 1, acceptedNoResponse: 1 },
      [0],
      0,
    ]);
    expect(desk.example).toBe('its reply ended without a response (as text/plain)');
  });

  test('that we cut off ourselves has no end to time', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.accepts(call, '', 'events');
    at.channel.answers(call);
    call.by.onReplyEnded(nowNs(), true);
    expect([desk.counts, desk.book.owed]).toEqual([{ started: 1, ok: 1 }, 0]);
    expect(desk.times).not.toHaveProperty(['call.release']);
  });
});

describe('a response that no call waits for', () => {
  test.each([
    [
      'a second one',
      'duplicate',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        const call = desk.call(at);
        at.channel.answers(call);
        at.channel.answers(call);
      },
    ],
    [
      'one after the time limit',
      'late',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        const call = desk.call(at);
        desk.pass(5000);
        at.channel.answers(call);
      },
    ],
    [
      'one to a call of another session',
      'foreign',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        const call = desk.call(at);
        desk.session(1).channel.answers(call);
        at.channel.answers(call);
      },
    ],
    [
      'one to an id that nobody used',
      'foreign',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        at.channel.answers(desk.call(at));
        at.channel.says({ jsonrpc: '2.0', id: 4711, result: {} });
      },
    ],
    [
      'one to a call that has not left: its id was guessed',
      'foreign',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        at.channel.free = false;
        const call = desk.call(at);
        at.channel.answers(call);
        at.channel.letGo();
        at.channel.answers(call);
      },
    ],
    [
      'one that was read before the call left, though handled later',
      'foreign',
      (desk: Desk, at: ReturnType<Desk['session']>) => {
        const call = desk.call(at);
        at.channel.says({ jsonrpc: '2.0', id: idOf(call), result: {} }, nowNs() - 1);
        at.channel.answers(call);
      },
    ],
  ] as const)('%s is counted as %s, and ends no call', (_, standing, happens) => {
    const desk = new Desk();
    happens(desk, desk.session());
    const { duplicate, late, foreign } = desk.context.oddities;
    expect({ duplicate, late, foreign }).toEqual({ duplicate: 0, late: 0, foreign: 0, [standing]: 1 });
    expect(desk.counts).toEqual({ started: 1, [standing === 'late' ? 'timeout' : 'ok']: 1 });
    expect(desk.freed).toEqual([0]);
  });

  test('an id that comes back as a string counts as its own, and is remarked upon', () => {
    const desk = new Desk();
    const at = desk.session();
    at.channel.says({ jsonrpc: '2.0', id: String(idOf(desk.call(at))), result: {} });
    expect([desk.counts, desk.context.oddities.coercedId]).toEqual([{ started: 1, ok: 1 }, 1]);
  });
});

describe('what a response may be beside ok', () => {
  test.each([
    ['an error', { error: { code: -32601, message: 'no' } }, { rpcError: { '-32601': 1 } }],
    ['an error of the tool', { result: { isError: true, content: [] } }, { toolError: 1 }],
    ['neither result nor error', {}, { invalidResponse: 1 }],
    ['not what was to be echoed', { result: { content: [] } }, { checkFailed: 1 }],
  ])('%s', (_, body, outcome) => {
    const desk = new Desk({ expect: 'echo' } as object);
    const at = desk.session();
    at.channel.says({ jsonrpc: '2.0', id: idOf(desk.call(at)), ...body });
    expect([desk.counts, desk.freed]).toEqual([{ started: 1, ...outcome }, [0]]);
    expect(desk.example).toBeDefined();
  });
});

describe('a call that comes to nothing', () => {
  test('was refused: by its status, and a response that still comes is late', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.refuses(429, call);
    expect([desk.counts, desk.example]).toEqual([
      { started: 1, httpError: { '429': 1 } },
      'echo: it was answered 429',
    ]);
    at.channel.answers(call);
    expect(desk.context.oddities.late).toBe(1);
  });

  test('a refusal after the response settles what was owed, and no more', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.answers(call);
    at.channel.refuses(500, call);
    expect([desk.counts, desk.book.owed]).toEqual([{ started: 1, ok: 1 }, 0]);
  });

  test.each([
    ['of which no byte left', true, { notSent: 1 }],
    ['that had been sent', false, { disconnected: 1 }],
  ])('one %s was lost with its connection', (_, unsent, outcome) => {
    const desk = new Desk();
    const at = desk.session();
    desk.call(at).by.onFailed(unsent, 'cut', nowNs());
    expect([desk.counts, desk.freed]).toEqual([{ started: 1, ...outcome }, [0]]);
  });

  test('once it is accepted, what carried it may be lost: the response comes by itself', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    at.channel.accepts(call);
    call.by.onFailed(false, 'cut', nowNs());
    expect(desk.counts).toEqual({ started: 1 });
    at.channel.answers(call);
    expect(desk.counts).toEqual({ started: 1, ok: 1 });
  });

  test('was never given to a session', () => {
    const desk = new Desk();
    const ticket = { seq: 0, operation: 0, phase: 0, intendedNs: nowNs(), foundNs: nowNs() };
    desk.book.neverStarted(ticket, 'the queue was full');
    expect([desk.counts, desk.freed]).toEqual([{ started: 1, notSent: 1 }, []]);
  });
});

describe('time limits', () => {
  test('without a word: a timeout, and nothing is waited for any more', () => {
    const desk = new Desk();
    const at = desk.session();
    const call = desk.call(at);
    desk.pass(4999);
    expect(desk.counts).toEqual({ started: 1 });
    desk.pass(1);
    expect(desk.counts).toEqual({ started: 1, timeout: 1 });
    expect(at.channel.givenUp).toEqual([call.by]);
  });

  test('accepted, and never answered: that is another outcome, with what the acceptance said', () => {
    const desk = new Desk();
    const at = desk.session();
    at.channel.accepts(desk.call(at), 'answered 200');
    desk.pass(5000);
    expect(desk.counts).toEqual({ started: 1, acceptedNoResponse: 1 });
    expect(desk.example).toBe('no response within 5 s (answered 200)');
    expect(at.channel.givenUp).toEqual([]);
  });

  test('the limit of the answer begins when the call leaves; one that never does is withdrawn', () => {
    const desk = new Desk();
    const at = desk.session();
    at.channel.free = false;
    const [first, second] = [desk.call(at), desk.call(at)];
    desk.pass(6999);
    expect(desk.counts).toEqual({ started: 2 });
    desk.pass(1);
    expect(desk.counts).toEqual({ started: 2, notSent: 2 });
    at.channel.letGo();
    for (const call of [first, second]) at.channel.answers(call);
    expect(desk.context.oddities.late).toBe(2);
  });

  test('the scenario may cancel: the server is told once, and the acceptance is still owed', () => {
    const desk = new Desk({ cancelAfter: '1s' } as object);
    const at = desk.session();
    const call = desk.call(at);
    desk.pass(1000);
    desk.pass(60_000);
    expect(desk.counts).toEqual({ started: 1, cancelled: 1 });
    expect(
      at.channel.sent.map(methodOf).filter((method) => method === 'notifications/cancelled'),
    ).toHaveLength(1);
    expect(at.channel.givenUp, 'of the call itself').toContain(call.by);
  });

  test('says since when the call has waited that has waited longest', () => {
    const desk = new Desk();
    const at = desk.session();
    expect(desk.book.oldestSentNs).toBe(Infinity);
    const sentNs = nowNs();
    const call = desk.call(at);
    desk.pass(10);
    desk.call(at);
    expect(desk.book.oldestSentNs).toBe(sentNs);
    at.channel.answers(call);
    expect(desk.book.oldestSentNs).toBe(sentNs + 10 * ms);
  });
});

describe('the end', () => {
  test('of a session ends its calls and no other’s; what has not left was never sent', () => {
    const desk = new Desk();
    const at = desk.session();
    const other = desk.session(1);
    desk.call(at);
    at.channel.free = false;
    desk.call(at);
    const call = desk.call(other);
    at.channel.loses();
    expect(desk.counts).toEqual({ started: 3, disconnected: 1, notSent: 1 });
    expect([desk.freed, at.session.inFlight, desk.book.inFlight]).toEqual([[0, 0], 0, 1]);
    other.channel.answers(call);
    expect(desk.book.inFlight).toBe(0);
  });

  test('of the run aborts what is in flight', () => {
    const desk = new Desk();
    const at = desk.session();
    const other = desk.session(1);
    for (const each of [at, other, at]) desk.call(each);
    desk.book.abortAll();
    expect([desk.counts, desk.freed]).toEqual([{ started: 3, aborted: 3 }, [0, 1, 0]]);
  });
});

test('whatever comes in whatever order, every call has one outcome and frees its slot once', () => {
  const step = fc.record({
    does: fc.constantFrom('call', 'accept', 'answer', 'refuse', 'lose', 'fail', 'pass', 'hold', 'letGo'),
    which: fc.nat(30),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const desk = new Desk();
      const open = [desk.session(0), desk.session(1)];
      const calls: { at: (typeof open)[number]; sent: Sent }[] = [];
      for (const { does, which } of steps) {
        const at = open[which % open.length]!;
        const call = calls[which % Math.max(1, calls.length)];
        if (does === 'call' && at.session.isReady) calls.push({ at, sent: desk.call(at) });
        else if (does === 'hold') at.channel.free = false;
        else if (does === 'letGo') at.channel.letGo();
        else if (does === 'pass') desk.pass(which * 200);
        else if (does === 'lose') {
          at.channel.loses();
          open[which % open.length] = desk.session(at.channel.ordinal);
        } else if (call !== undefined) {
          if (does === 'accept') call.at.channel.accepts(call.sent);
          else if (does === 'answer') call.at.channel.answers(call.sent);
          else if (does === 'refuse') call.at.channel.refuses(500, call.sent);
          else if (does === 'fail') call.sent.by.onFailed(which % 2 === 0, 'cut', nowNs());
        }
      }
      desk.book.abortAll();
      const { started, outcomes } = desk.context.recorder.tally(0, 0);
      expect([started, countOutcomes(outcomes), desk.freed.length]).toEqual([
        calls.length,
        calls.length,
        calls.length,
      ]);
      desk.pass(60_000);
      expect([desk.book.inFlight, desk.book.owed]).toEqual([0, 0]);
    }),
    { numRuns: 100 },
  );
});
