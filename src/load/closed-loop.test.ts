import { describe, expect, test } from 'vitest';
import type { CallBook } from './call-book.js';
import type { Ticket } from './ticket.js';
import { ClosedLoop } from './closed-loop.js';
import { TicketPrinter } from './dispatcher.js';
import type { SessionPool } from './session-pool.js';
import type { Session } from './session.js';

const thinkNs = 1000;

/** As much of a worker as a loop sees: sessions that are ready, and a book that only writes down when calls were due. */
class Worker {
  readonly live = new Set<Session>();
  readonly started: { session: Session; dueNs: number }[] = [];
  private printed = 0;
  private readonly printer = new TicketPrinter({ next: () => this.printed++ }, () => 0);

  ready(): Session {
    const session = { isReady: true, retiring: false, inFlight: 0 } as Session;
    this.live.add(session);
    return session;
  }

  loop(startNs: number, given: { from?: ClosedLoop; inFlight?: number; thinkNs?: number } = {}): ClosedLoop {
    const think = given.thinkNs ?? thinkNs;
    const pool = { live: this.live, mayCall: () => true, countStarted: () => {} };
    const book = {
      start: ({ intendedNs }: Ticket, session: Session) => {
        (session as { inFlight: number }).inFlight++;
        this.started.push({ session, dueNs: intendedNs });
      },
    };
    return new ClosedLoop(
      0,
      startNs,
      Infinity,
      given.from?.handOver(startNs, think) ?? [],
      given.inFlight ?? 1,
      think,
      Infinity,
      pool as unknown as SessionPool,
      book as unknown as CallBook,
      this.printer,
    );
  }

  /** A call of the session is answered. */
  answer(loop: ClosedLoop, session: Session, atNs: number): void {
    (session as { inFlight: number }).inFlight--;
    loop.onSlotFree(session, atNs, 0);
  }

  /** When the calls were due that a tick starts. */
  dueAt(loop: ClosedLoop, atNs: number): number[] {
    const from = this.started.length;
    loop.tick(atNs);
    return this.started.slice(from).map(({ dueNs }) => dueNs);
  }
}

test('a session that becomes ready while others think calls at once', () => {
  const worker = new Worker();
  const first = worker.ready();
  const loop = worker.loop(0);
  expect(worker.dueAt(loop, 0)).toEqual([0]);
  worker.answer(loop, first, 10);
  const second = worker.ready();
  loop.onReady(second, 20);
  expect(loop.nextDueNs).toBe(20);
  expect(loop.tick(20), 'then the one that thinks').toBe(10 + thinkNs);
  expect(worker.started.map(({ session }) => session)).toEqual([first, second]);
});

test('what is found late is made in the order in which it was due', () => {
  const worker = new Worker();
  const first = worker.ready();
  const loop = worker.loop(0);
  loop.tick(0);
  worker.answer(loop, first, 10);
  for (const atNs of [20, 5 + thinkNs, 20 + thinkNs]) loop.onReady(worker.ready(), atNs);
  expect(worker.dueAt(loop, 5 * thinkNs)).toEqual([20, 5 + thinkNs, 10 + thinkNs, 20 + thinkNs]);
});

describe('a loop that goes on where another ends', () => {
  /** Ten sessions with one call each, answered a tenth of the think time apart; all think when the last has been answered. */
  function thinking(worker: Worker, inFlight = 1): { loop: ClosedLoop; endNs: number } {
    const sessions = Array.from({ length: 10 }, () => worker.ready());
    const loop = worker.loop(0, { inFlight });
    loop.tick(0);
    for (const [at, session] of sessions.entries())
      for (let slot = 0; slot < inFlight; slot++) worker.answer(loop, session, at * 100 + 50);
    return { loop, endNs: thinkNs };
  }
  const tenths = Array.from({ length: 10 }, (_, at) => at * 100 + 50);

  test.each([thinkNs / 10, thinkNs, thinkNs * 10])(
    'its slots stay spread over a think time of %i ns',
    (next) => {
      const worker = new Worker();
      const { loop, endNs } = thinking(worker);
      const then = worker.loop(endNs, { from: loop, thinkNs: next });
      expect(worker.dueAt(then, endNs + next)).toEqual(
        tenths.map((dueNs) => endNs + (dueNs * next) / thinkNs),
      );
    },
  );

  test('those that think there come after them, in order', () => {
    const worker = new Worker();
    const { loop, endNs } = thinking(worker);
    const then = worker.loop(endNs, { from: loop, thinkNs: 100 });
    expect(worker.dueAt(then, endNs + 5)).toEqual([endNs + 5]);
    worker.answer(then, worker.started.at(-1)!.session, endNs + 6);
    expect(worker.dueAt(then, endNs + 105)).toEqual(tenths.slice(1).map((dueNs) => endNs + dueNs / 10));
    expect(worker.dueAt(then, endNs + 106)).toEqual([endNs + 106]);
  });

  test('more slots are due at its start, fewer are left out', () => {
    const more = new Worker();
    const one = thinking(more);
    const wider = more.loop(one.endNs, { from: one.loop, inFlight: 3 });
    expect(more.dueAt(wider, one.endNs)).toEqual(Array<number>(20).fill(one.endNs));
    const fewer = new Worker();
    const three = thinking(fewer, 3);
    const narrower = fewer.loop(three.endNs, { from: three.loop });
    expect(fewer.dueAt(narrower, three.endNs + thinkNs)).toEqual(tenths.map((dueNs) => three.endNs + dueNs));
  });
});
