import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nowNs } from '../clock.js';
import { toldContext } from '../mcp/session-context.fixture.js';
import type { ToldChannel } from '../mcp/told-channel.fixture.js';
import type { SessionsPlan, Shard } from '../scenario/plan.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import type { CallBook } from './call-book.js';
import { SessionPool } from './session-pool.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Staged {
  readonly pool: SessionPool;
  readonly channels: readonly ToldChannel[];
  readonly heard: string[];
  readonly context: ReturnType<typeof toldContext>;
}

function stage(change: Partial<SessionsPlan> = {}, shard: Shard = { index: 0, of: 1 }): Staged {
  const context = toldContext();
  const heard: string[] = [];
  const book = { endSession: () => {} } as unknown as CallBook;
  const plan = {
    count: 3,
    openPerSec: null,
    idle: 0,
    lifetimeCalls: null,
    lifetimeNs: null,
    end: 'close',
    reconnect: false,
    ...change,
  } as SessionsPlan;
  const pool = new SessionPool({ sessions: context, book, slots: new SlotRecorder() }, plan, shard, {
    onOpened: (all) => heard.push(all ? 'all opened' : 'first opened'),
    onReady: (session) => heard.push(`ready ${session.ordinal}`),
  });
  return { pool, channels: context.transport.channels, heard, context };
}

/** All sessions ready; for each the channel that it has. */
function ready(change: Partial<SessionsPlan> = {}): Staged {
  const staged = stage(change);
  staged.pool.openAll(nowNs());
  for (const channel of staged.channels) channel.becomesReady();
  return staged;
}

const places = ({ channels }: Staged): number[] => channels.map(({ ordinal }) => ordinal);

describe('opening', () => {
  test('each worker has every so-many-th place of the run', () => {
    expect(stage({ count: 8 }, { index: 1, of: 3 }).pool.ordinals).toEqual([1, 4, 7]);
    expect(stage({ count: 2 }, { index: 2, of: 3 }).pool.ordinals).toEqual([]);
  });

  test('the first goes ahead alone; then the others, and that all are decided is said once', () => {
    const staged = stage();
    const { pool, channels, heard } = staged;
    pool.openFirst();
    expect(places(staged)).toEqual([0]);
    channels[0]!.becomesReady();
    expect(heard).toEqual(['ready 0', 'first opened']);
    pool.openAll(nowNs());
    expect(places(staged)).toEqual([0, 1, 2]);
    channels[2]!.loses('refused', 'connect');
    channels[1]!.becomesReady();
    expect(heard.slice(2)).toEqual(['ready 1', 'all opened']);
    expect(pool.counts).toMatchObject({
      opened: 3,
      ready: 2,
      failed: 1,
      failures: { connect: 1 },
      peakReady: 2,
    });
  });

  test('a worker without places has opened them all', () => {
    const { pool, heard } = stage({ count: 1 }, { index: 1, of: 2 });
    pool.openAll(nowNs());
    expect(heard).toEqual(['all opened']);
  });

  test('at a pace: the n-th of the run is due n / rate after the start, and is late from then on', () => {
    const staged = stage({ count: 6, openPerSec: 10 }, { index: 1, of: 2 });
    staged.pool.openAll(nowNs());
    const after = (ms: number): number[] => (vi.advanceTimersByTime(ms), places(staged));
    expect([after(0), after(99), after(1), after(199), after(1), after(200)]).toEqual([
      [],
      [],
      [1],
      [1],
      [1, 3],
      [1, 3, 5],
    ]);
    vi.advanceTimersByTime(40);
    staged.channels[0]!.becomesReady();
    const { handshakes } = staged.context.recorder.takeInterval();
    const total = handshakes.find(({ metric, edge }) => metric === 'handshake.total' && edge === 'seen')!;
    expect(total.histogram.maxNs).toBe(440e6);
  });
});

describe('the line of sessions with room', () => {
  test('takes turns, and leaves out who is full, idle by plan, retiring or gone', () => {
    const { pool, channels } = ready({ count: 5, idle: 1 });
    for (const session of pool.live) pool.offer(session, 2);
    const [, one, two, three, four] = [...pool.live];
    expect(pool.peekFree(1)).toBe(two);
    two!.inFlight = 2;
    three!.retiring = true;
    expect([pool.takeFree(2), pool.takeFree(2), pool.takeFree(2)]).toEqual([one, four, undefined]);
    two!.inFlight = 1;
    pool.offer(two!, 2);
    pool.offer(two!, 2);
    channels[1]!.loses();
    pool.offer(one!, 2);
    expect([pool.takeFree(2), pool.takeFree(2)]).toEqual([two, undefined]);
  });
});

describe('a life that ends by plan', () => {
  test('after so many calls, once they are answered; a successor takes the place', () => {
    const staged = ready({ count: 1, lifetimeCalls: 2 });
    const { pool, channels } = staged;
    const [session] = [...pool.live];
    pool.countStarted(session!);
    expect(session!.retiring).toBe(false);
    pool.countStarted(session!);
    session!.inFlight = 1;
    pool.checkRetired(session!);
    vi.advanceTimersByTime(1);
    expect(channels[0]!.ended).toBeNull();
    session!.inFlight = 0;
    pool.checkRetired(session!);
    vi.advanceTimersByTime(1);
    expect([channels[0]!.ended, places(staged)]).toEqual(['close', [0, 0]]);
    channels[1]!.becomesReady();
    expect(pool.counts).toMatchObject({ closed: 1, abandoned: 0, dropped: 0, reconnects: 0, opened: 2 });
  });

  test('or with the last call on its way, where clients are to be just gone', () => {
    const { pool, channels } = ready({ count: 1, lifetimeCalls: 1, end: 'abandon' });
    const [session] = [...pool.live];
    pool.countStarted(session!);
    session!.inFlight = 1;
    expect(channels[0]!.ended, 'not before the call has left').toBeNull();
    vi.advanceTimersByTime(1);
    expect(channels[0]!.ended).toBe('abandon');
    expect(pool.counts).toMatchObject({ closed: 0, abandoned: 1 });
  });

  test('after a time', () => {
    const { pool, channels } = ready({ count: 1, lifetimeNs: 3e9 });
    vi.advanceTimersByTime(3000);
    pool.sweep(nowNs(), null);
    vi.advanceTimersByTime(1);
    pool.sweep(nowNs(), null);
    vi.advanceTimersByTime(1);
    expect(channels.map(({ ended }) => ended)).toEqual(['close', null]);
  });

  test('no successor comes once none is wanted any more', () => {
    const { pool, channels } = ready({ count: 1, lifetimeCalls: 1 });
    const [session] = [...pool.live];
    pool.countStarted(session!);
    pool.checkRetired(session!);
    pool.stopOpening();
    vi.advanceTimersByTime(1000);
    expect(channels).toHaveLength(1);
  });
});

describe('a session that is lost', () => {
  test('is gone for good, unless the scenario wants it back', () => {
    const { pool, channels } = ready({ count: 1 });
    channels[0]!.loses();
    vi.advanceTimersByTime(60_000);
    expect([channels.length, pool.isEmpty, pool.hopeless]).toEqual([1, true, true]);
    expect(pool.counts).toMatchObject({ dropped: 1, failed: 0, reconnects: 0 });
  });

  /** How long each of so many failing attempts waited; with 50 ms to a look. */
  function waitsOf({ channels }: Staged, attempts: number): number[] {
    const before = channels.length;
    return Array.from({ length: attempts }, (_, attempt) => {
      let waited = 0;
      for (; channels.length === before + attempt; waited += 50)
        vi.advanceTimersByTime(waited === 0 ? 1 : 50);
      channels.at(-1)!.loses('refused', 'connect');
      return waited - 50;
    });
  }

  test('comes back at once; then its waits double up to five seconds, until it is ready again', () => {
    const staged = ready({ count: 2, reconnect: true });
    const { pool, channels } = staged;
    channels[1]!.loses();
    expect(waitsOf(staged, 8)).toEqual([0, 100, 200, 400, 800, 1600, 3200, 5000]);
    vi.advanceTimersByTime(5001);
    channels.at(-1)!.becomesReady();
    channels.at(-1)!.loses();
    vi.advanceTimersByTime(1);
    expect(channels).toHaveLength(12);
    expect(pool.counts).toMatchObject({ dropped: 2, failed: 8, reconnects: 10, opened: 12 });
  });

  test('while none is ready, one tries every 100 ms: how long the server was down is not to depend on our waits', () => {
    const staged = ready({ count: 1, reconnect: true });
    staged.channels[0]!.loses();
    expect(staged.pool.hopeless, 'somebody may come').toBe(false);
    expect(waitsOf(staged, 6)).toEqual([0, 100, 100, 100, 100, 100]);
  });

  test('and once that one is ready, the others come at once, too', () => {
    const staged = ready({ count: 3, reconnect: true });
    const { channels } = staged;
    for (const channel of channels.slice(0, 3)) channel.loses();
    const tries = (): number[] => {
      const from = channels.length;
      vi.advanceTimersByTime(100);
      for (const channel of channels.slice(from)) channel.loses('refused', 'connect');
      return places(staged).slice(from);
    };
    vi.advanceTimersByTime(1);
    for (const channel of channels.slice(3)) channel.loses('refused', 'connect');
    const tried = Array.from({ length: 40 }, tries);
    expect(
      tried.filter((each) => each.includes(2)),
      'the last to be lost',
    ).toHaveLength(40);
    expect(
      tried.filter((each) => each.includes(0)),
      'after 0.1, 0.3, 0.7, 1.5 and 3.1 s',
    ).toHaveLength(5);
    vi.advanceTimersByTime(100);
    const count = channels.length;
    channels[count - 1]!.becomesReady();
    vi.advanceTimersByTime(1);
    expect(places(staged).slice(count)).toEqual([0, 1]);
  });

  test('one that never stood is given up; the successor of one that did is owed to the load', () => {
    const never = stage({ count: 1 });
    never.pool.openAll(nowNs());
    never.channels[0]!.loses('refused', 'connect');
    vi.advanceTimersByTime(60_000);
    expect(never.channels).toHaveLength(1);
    const stood = ready({ count: 1, lifetimeCalls: 1 });
    const [session] = [...stood.pool.live];
    stood.pool.countStarted(session!);
    stood.pool.checkRetired(session!);
    vi.advanceTimersByTime(1);
    stood.channels[1]!.loses('refused', 'connect');
    vi.advanceTimersByTime(1);
    expect(stood.channels).toHaveLength(3);
  });

  test('a server that says nothing is as good as lost', () => {
    const { pool, channels } = ready({ count: 2 });
    vi.advanceTimersByTime(900);
    channels[1]!.says({ jsonrpc: '2.0', method: 'notifications/message' });
    vi.advanceTimersByTime(200);
    pool.sweep(nowNs(), 1e9);
    expect([...pool.live].map(({ ordinal }) => ordinal)).toEqual([1]);
    expect([channels[0]!.ended, pool.counts.dropped]).toEqual(['abandon', 1]);
  });
});

describe('a session that its server has forgotten', () => {
  test('is missed once, gets no more calls, and is let go when those in flight have ended', () => {
    const { pool, channels } = ready({ count: 1 });
    const [session] = [...pool.live];
    session!.inFlight = 1;
    channels[0]!.forgets();
    vi.advanceTimersByTime(1);
    expect([channels[0]!.ended, pool.mayCall(session!), pool.isEmpty]).toEqual([null, false, true]);
    session!.inFlight = 0;
    pool.checkRetired(session!);
    vi.advanceTimersByTime(1);
    expect(channels[0]!.ended).toBe('abandon');
    expect(pool.counts).toMatchObject({ dropped: 1, failed: 0 });
  });

  test('and is lost besides: that is the same loss, and brings one successor', () => {
    const { pool, channels } = ready({ count: 1, reconnect: true });
    const [session] = [...pool.live];
    session!.inFlight = 1;
    channels[0]!.forgets();
    channels[0]!.loses();
    vi.advanceTimersByTime(60_000);
    expect(channels).toHaveLength(2);
    expect(pool.counts).toMatchObject({ dropped: 1, reconnects: 1 });
  });
});

test('the end closes what is open and what is on its way, and nothing comes after', () => {
  const { pool, channels } = stage({ count: 3, reconnect: true });
  pool.openAll(nowNs());
  channels[0]!.becomesReady();
  channels[1]!.loses('refused', 'connect');
  pool.closeAll();
  vi.advanceTimersByTime(60_000);
  expect(channels.map(({ ended }) => ended)).toEqual(['close', 'abandon', 'close']);
  expect([pool.isEmpty, pool.counts.closed, pool.counts.dropped]).toEqual([true, 1, 0]);
});
