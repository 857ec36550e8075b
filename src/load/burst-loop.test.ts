import { describe, expect, test } from 'vitest';
import { BurstLoop } from './burst-loop.js';
import type { CallBook } from './call-book.js';
import { type Dispatcher, TicketPrinter } from './dispatcher.js';
import { createPacer } from './pacer.js';
import type { SessionPool } from './session-pool.js';
import { Turn } from '../transport/turn.js';
import type { Session } from './session.js';
import { Draft, type Ticket } from './ticket.js';

const second = 1e9;
const startNs = 5 * second;

/** As much of a worker as bursts see: sessions, and a dispatcher that only writes down what it was given. */
class Worker {
  readonly live = new Set<Session>();
  readonly turn = new Turn();
  private printed = 0;
  readonly rendered: number[] = [];
  /** What became of each call: `session:seq`, or `any:seq` where no session was chosen. */
  readonly given: string[] = [];
  readonly tickets: Ticket[] = [];
  readonly flushed: number[] = [];
  collections = 0;
  readonly book = {
    inFlight: 0,
    draft: (seq: number, operation: number, phase: number, session: Session) => {
      this.rendered.push(seq);
      return new Draft(seq, operation, phase, session, '', '');
    },
  };
  readonly prepared: { ordinal: number; connections: number; untilNs: number }[] = [];

  constructor(sessions: number) {
    for (let ordinal = 0; ordinal < sessions; ordinal++) this.ready(ordinal);
  }

  ready(ordinal: number): Session {
    const client = {
      flush: () => this.flushed.push(ordinal),
      prepare: (connections: number, untilNs: number) =>
        this.prepared.push({ ordinal, connections, untilNs }) > 0,
    };
    const session = { ordinal, client, draftedFor: 0 } as unknown as Session;
    this.live.add(session);
    return session;
  }

  bursts(sessions: number, calls: number, sliceNs?: number): BurstLoop {
    const pacer = createPacer({ model: 'burst', calls, everyNs: second }, 2 * second, {
      shard: { index: 0, of: 1 },
      firstSession: 0,
      sessions,
      seed: 1,
    });
    const pool = { live: this.live, mayCall: (session: Session) => this.live.has(session) };
    const dispatcher = {
      dispatch: (ticket: Ticket) => this.note('any', ticket),
      dispatchDraft: (draft: Draft) => this.note(String(draft.session.ordinal), draft),
    };
    const printer = new TicketPrinter({ next: () => this.printed++ }, () => 0);
    return new BurstLoop(
      pacer,
      0,
      calls,
      pool as unknown as SessionPool,
      this.book as unknown as CallBook,
      printer,
      dispatcher as unknown as Dispatcher,
      this.turn,
      () => void this.collections++,
      sliceNs,
      () => startNs,
    );
  }

  private note(session: string, ticket: Ticket): void {
    this.given.push(`${session}:${ticket.seq}`);
    this.tickets.push({ ...ticket });
  }
}

describe('a burst', () => {
  test('is written session by session, each handed over before the next, all with one due moment', () => {
    const worker = new Worker(3);
    const loop = worker.bursts(3, 2);
    loop.begin(startNs);
    expect(loop.tick(startNs)).toBe(startNs + second);
    expect(worker.given).toEqual(['0:0', '0:1', '1:2', '1:3', '2:4', '2:5']);
    expect(worker.flushed).toEqual([0, 1, 2]);
    expect(new Set(worker.tickets.map(({ intendedNs }) => intendedNs))).toEqual(new Set([startNs]));
  });

  test('returns to the sockets when the time of a slice is over, and goes on where it was', () => {
    const worker = new Worker(3);
    const loop = worker.bursts(3, 2, 0);
    loop.begin(startNs);
    const written = [0, 1, 2].map(() => {
      const wantedNs = loop.tick(startNs);
      return [worker.flushed.length, wantedNs === startNs];
    });
    expect(written, 'a session at a time, and at once again').toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
    expect(loop.writing).toMatchObject({ bursts: 1 });
  });

  test('leaves what is read unhandled until it is out', () => {
    const worker = new Worker(3);
    const { held } = worker.turn;
    const loop = worker.bursts(3, 2, 0);
    const heard: string[] = [];
    const reader = { onHeldRead: (chunk: Buffer) => heard.push(chunk.toString()) };
    loop.begin(startNs);
    loop.tick(startNs);
    expect(held.keeping).toBe(true);
    worker.turn.keepRead(reader, Buffer.from('answer'), startNs);
    loop.tick(startNs);
    expect(heard).toEqual([]);
    loop.tick(startNs);
    expect(heard).toEqual(['answer']);
    expect(held.keeping).toBe(false);
  });

  test('is rendered before it is due, and nothing is then', () => {
    const worker = new Worker(3);
    const loop = worker.bursts(3, 2);
    loop.begin(startNs);
    expect(loop.prepare(startNs - 100e6, second)).toBe(true);
    expect(worker.rendered).toEqual([0, 1, 2, 3, 4, 5]);
    loop.tick(startNs);
    expect(worker.rendered).toHaveLength(6);
    expect(worker.given).toHaveLength(6);
  });

  test('has garbage collected once, shortly before it is due, where nothing waits for an answer and there are many calls', () => {
    const worker = new Worker(300);
    const loop = worker.bursts(300, 2);
    loop.begin(startNs);
    const collectionsAt = (beforeMs: number): number => {
      loop.prepare(startNs - beforeMs * 1e6, second);
      return worker.collections;
    };
    expect(collectionsAt(100)).toBe(0);
    worker.book.inFlight = 1;
    expect(collectionsAt(50)).toBe(0);
    worker.book.inFlight = 0;
    expect([collectionsAt(45), collectionsAt(40)]).toEqual([1, 1]);
    loop.tick(startNs);
    const later = (beforeMs: number): number => collectionsAt(beforeMs - 1000);
    expect([later(100), later(20), later(50)]).toEqual([1, 1, 2]);
    const few = new Worker(2);
    const small = few.bursts(2, 2);
    small.begin(startNs);
    small.prepare(startNs - 50e6, second);
    expect(few.collections).toBe(0);
  });

  test('asks for as many connections as a session has calls, good until it is due', () => {
    const worker = new Worker(2);
    const loop = worker.bursts(2, 4);
    loop.begin(startNs);
    loop.prepare(startNs - 60 * second, second);
    expect(worker.prepared, 'not long before').toEqual([]);
    loop.prepare(startNs - 100e6, second);
    expect(worker.prepared).toEqual([
      { ordinal: 0, connections: 4, untilNs: startNs },
      { ordinal: 1, connections: 4, untilNs: startNs },
    ]);
  });

  test('includes sessions that became ready since it was rendered', () => {
    const worker = new Worker(2);
    const loop = worker.bursts(3, 2);
    loop.begin(startNs);
    loop.prepare(startNs - 100e6, second);
    worker.ready(2);
    loop.tick(startNs);
    expect(worker.given).toEqual(['0:0', '0:1', '1:2', '1:3', '2:4', '2:5']);
  });

  test('makes all of its calls where sessions are missing: whoever has room gets them', () => {
    const worker = new Worker(2);
    const loop = worker.bursts(3, 2);
    loop.begin(startNs);
    loop.tick(startNs);
    expect(worker.given).toEqual(['0:0', '0:1', '1:2', '1:3', 'any:4', 'any:5']);
  });

  test('comes as often as it is due, with numbers of its own', () => {
    const worker = new Worker(2);
    const loop = worker.bursts(2, 1);
    loop.begin(startNs);
    expect(loop.tick(startNs)).toBe(startNs + second);
    expect(loop.tick(startNs + 1), 'not due yet').toBe(startNs + second);
    expect(loop.tick(startNs + second), 'the phase is over').toBe(Infinity);
    expect(worker.given).toEqual(['0:0', '1:1', '0:2', '1:3']);
    expect(loop.writing.bursts).toBe(2);
  });
});
