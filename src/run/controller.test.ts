import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { nowNs } from '../clock.js';
import type { Plan } from '../scenario/plan.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { Controller, type RunOutcome } from './controller.js';
import { resolvedPlan } from './resolved-plan.fixture.js';
import type { RunWatcher } from './execute-options.js';
import type { FromWorker, ToWorker, WorkerAssignment } from './messages.js';
import { planFor, shardFinal, shardSecond, shardTotals } from './shards.fixture.js';
import type { WorkerThread } from './worker-pool.js';

/** A thread that does nothing but hear what it is told, and say what the test has it say. */
class ToldThread extends EventEmitter implements WorkerThread {
  readonly told: ToWorker[] = [];
  terminated = false;

  constructor(readonly assignment: WorkerAssignment) {
    super();
  }

  get words(): string[] {
    return this.told.map(({ type }) => type);
  }

  postMessage(message: ToWorker): void {
    this.told.push(message);
  }

  terminate(): Promise<number> {
    this.terminated = true;
    this.emit('exit', 1);
    return Promise.resolve(1);
  }

  says(message: FromWorker): void {
    this.emit('message', message);
  }

  opened(ready: number, failures = {}, examples = {}): void {
    this.says({ type: 'opened', ready, failures, examples });
  }

  crashes(error: Error): void {
    this.emit('error', error);
    this.emit('exit', 1);
  }
}

/** Promises have had their say; nothing here waits for anything else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Staged {
  readonly threads: ToldThread[];
  readonly controller: Controller;
  readonly heard: string[];
  readonly run: Promise<RunOutcome>;
}

function stage(
  workers: number,
  { plan: given = planFor(), ...watcher }: RunWatcher & { plan?: Plan } = {},
): Staged {
  const plan = resolvedPlan(given);
  const threads: ToldThread[] = [];
  const heard: string[] = [];
  const assignments = Array.from({ length: workers }, (_, index) => ({
    plan,
    shard: { index, of: workers },
    ip: '127.0.0.1',
    spin: false,
    clientVersion: '0.0.0',
  }));
  const controller = new Controller(
    plan,
    assignments,
    { onState: (state) => void heard.push(state), ...watcher },
    {
      onFirstOpen: () => {},
      onMeasuring: () => void heard.push('measuring'),
      onSecond: () => void heard.push('second'),
      onMeasured: () => void heard.push('measured'),
      cpuWithin: () => ({ othersShare: null, targetShare: null, stolenShare: null }),
      targetResources: () => null,
    },
    (assignment) => {
      threads.push(new ToldThread(assignment));
      return threads.at(-1)!;
    },
  );
  const run = controller.run();
  run.catch(() => {});
  return { threads, controller, heard, run };
}

/** The same, with all sessions open and the start given. */
async function running(workers: number, more: Parameters<typeof stage>[1] = {}): Promise<Staged> {
  const staged = stage(workers, more);
  staged.threads[0]!.opened(1);
  await settled();
  for (const thread of staged.threads) thread.opened(5);
  await settled();
  return staged;
}

const second = (index: number, started = 0): FromWorker => ({
  type: 'interval',
  interval: shardSecond(index, { started }),
  soFar: shardTotals({ bytesIn: index + 1 }),
});
const done = (bytesIn = 0): FromWorker => ({ type: 'done', final: shardFinal({ bytesIn }) });

afterEach(() => {
  vi.useRealTimers();
});

describe('the start', () => {
  test('the first thread opens one session alone, then all open, then all start at the same moment', async () => {
    const { threads, heard, run } = stage(3);
    await settled();
    expect(threads.map(({ words }) => words)).toEqual([['openFirst'], [], []]);
    threads[0]!.opened(1);
    await settled();
    expect(threads.map(({ words }) => words.at(-1))).toEqual(['openAll', 'openAll', 'openAll']);
    expect(new Set(threads.map(({ told }) => (told.at(-1) as { startNs: number }).startNs)).size).toBe(1);
    threads[2]!.opened(4);
    threads[0]!.opened(3);
    await settled();
    expect(
      threads.map(({ words }) => words.includes('start')),
      'one is not open yet',
    ).toEqual([false, false, false]);
    const beforeNs = nowNs();
    threads[1]!.opened(3);
    await settled();
    const starts = threads.map(({ told }) => told.at(-1) as { type: string; startNs: number });
    expect(starts.map(({ type }) => type)).toEqual(['start', 'start', 'start']);
    expect(new Set(starts.map(({ startNs }) => startNs)).size).toBe(1);
    expect(starts[0]!.startNs, 'long enough for the message to reach all').toBeGreaterThan(beforeNs);
    expect(heard).toEqual(['opening', 'running']);
    for (const thread of threads) thread.says(done());
    await run;
  });

  test('each thread is given its own part', async () => {
    const { threads, run } = await running(2);
    expect(threads.map(({ assignment }) => assignment.shard)).toEqual([
      { index: 0, of: 2 },
      { index: 1, of: 2 },
    ]);
    for (const thread of threads) thread.says(done());
    await run;
  });

  test('without a first session nothing else is opened, and the reason is said', async () => {
    const { threads, heard, run } = stage(2);
    threads[0]!.opened(0, { 'http 404': 1 }, { 'session http 404': 'the stream was answered 404' });
    await expect(run).rejects.toMatchObject({
      lines: [
        'no session with http://127.0.0.1:1/sse: the stream was answered 404. Is the path right? Many servers use /sse',
      ],
      exitCode: 1,
    });
    expect(threads.map(({ words }) => words)).toEqual([['openFirst'], []]);
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
    expect(heard).toEqual(['opening']);
  });

  test('with all sessions gone again before the start, too', async () => {
    const { threads, run } = stage(2);
    threads[0]!.opened(1);
    await settled();
    threads[0]!.opened(0);
    threads[1]!.opened(0, {}, { 'session dropped': 'the server closed the connection' });
    await expect(run).rejects.toMatchObject({
      lines: [
        'no session with http://127.0.0.1:1/sse: every one ended again before the start: the server closed the connection',
      ],
      exitCode: 1,
    });
  });

  test('one session over all is enough', async () => {
    const { threads, run } = stage(2);
    threads[0]!.opened(1);
    await settled();
    threads[0]!.opened(0, { timeout: 5 });
    threads[1]!.opened(1, { timeout: 4 });
    await settled();
    expect(threads[0]!.words).toContain('start');
    for (const thread of threads) thread.says(done());
    expect((await run).ended).toBe('complete');
  });
});

describe('the measurement', () => {
  test('begins with the first thread that measures, and is over with the last', async () => {
    const { threads, heard, run } = await running(2);
    threads[1]!.says({ type: 'measuring' });
    threads[0]!.says({ type: 'measuring' });
    threads[0]!.says(second(0));
    threads[1]!.says(second(0));
    threads[1]!.says({ type: 'measured' });
    expect(heard).toEqual(['opening', 'running', 'measuring', 'second']);
    threads[0]!.says({ type: 'measured' });
    expect(heard.at(-1)).toBe('measured');
    for (const thread of threads) thread.says(done());
    expect((await run).measuringAt).toBeInstanceOf(Date);
  });

  test('is not dated where it never began', async () => {
    const { threads, run } = await running(1);
    threads[0]!.says(done());
    expect((await run).measuringAt).toBe(null);
  });

  test('pulses are those of all threads together', async () => {
    const pulses: object[] = [];
    const { threads, run } = await running(2, { onPulse: (pulse) => void pulses.push(pulse) });
    threads[0]!.says({ type: 'pulse', sessionsReady: 3, inFlight: 1, okTotal: 10 });
    threads[1]!.says({ type: 'pulse', sessionsReady: 4, inFlight: 2, okTotal: 20 });
    threads[0]!.says({ type: 'pulse', sessionsReady: 2, inFlight: 0, okTotal: 11 });
    expect(pulses).toEqual([
      { sessionsReady: 10, inFlight: 0, okTotal: 0 },
      { sessionsReady: 3, inFlight: 1, okTotal: 10 },
      { sessionsReady: 7, inFlight: 3, okTotal: 30 },
      { sessionsReady: 6, inFlight: 2, okTotal: 31 },
    ]);
    for (const thread of threads) thread.says(done());
    await run;
  });

  test('the last words are kept in the order of the threads, whoever was done first; then all are ended', async () => {
    const { threads, run } = await running(3);
    threads[2]!.says(done(3));
    threads[0]!.says(done(1));
    await settled();
    expect(threads.some(({ terminated }) => terminated)).toBe(false);
    threads[1]!.says(done(2));
    const { collector, ended, failure } = await run;
    expect(collector.finals.map(({ bytesIn }) => bytesIn)).toEqual([1, 2, 3]);
    expect([collector.lost, ended, failure]).toEqual([[], 'complete', null]);
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
  });
});

describe('a thread that crashes', () => {
  test('while opening: nothing was measured, and the run has failed', async () => {
    const { threads, run } = stage(2);
    threads[0]!.opened(1);
    await settled();
    threads[0]!.crashes(new Error('out of luck'));
    await expect(run).rejects.toMatchObject({ lines: ['worker 0 crashed: out of luck'], exitCode: 1 });
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
  });

  test('while measuring: the others say what they have, and of it is kept what it had last said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { threads, run } = await running(3);
    threads[0]!.says(second(0, 5));
    threads[1]!.says(second(0, 6));
    threads[2]!.says(second(0, 7));
    threads[0]!.says(second(1, 8));
    threads[1]!.crashes(new Error('out of luck'));
    threads[2]!.crashes(new Error('me too'));
    expect(threads[0]!.words.at(-1)).toBe('abort');
    threads[0]!.says(done(99));
    await vi.runAllTimersAsync();
    const { collector, ended, failure } = await run;
    expect(ended).toBe('failed');
    expect(failure?.lines).toEqual(['worker 1 crashed: out of luck']);
    expect(collector.finals.map(({ bytesIn }) => bytesIn)).toEqual([99]);
    expect(collector.lost.map(({ bytesIn }) => bytesIn)).toEqual([1, 1]);
    expect(collector.intervals.map(({ totals }) => totals.started)).toEqual([18, 8]);
  });

  test('before its first second: of it nothing is known', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { threads, run } = await running(2);
    threads[1]!.emit('exit', 7);
    threads[0]!.says(done());
    await vi.runAllTimersAsync();
    const { collector, failure } = await run;
    expect(failure?.lines).toEqual(['worker 1 crashed: ended with code 7']);
    expect([collector.finals.length, collector.lost.length]).toEqual([1, 0]);
  });
});

describe('ended early', () => {
  test('stop: no more calls, and what is in flight is waited for', async () => {
    const { threads, controller, heard, run } = await running(2);
    controller.stop('interrupted');
    controller.stop('aborted');
    expect(threads.map(({ words }) => words.filter((word) => word === 'stop'))).toEqual([['stop'], ['stop']]);
    expect(heard.at(-1)).toBe('draining');
    threads[0]!.says(done());
    await settled();
    expect(threads.some(({ terminated }) => terminated)).toBe(false);
    threads[1]!.says(done());
    expect((await run).ended).toBe('interrupted');
  });

  test('stop while opening: never running', async () => {
    const { threads, controller, heard, run } = stage(2);
    threads[0]!.opened(1);
    await settled();
    controller.stop('interrupted');
    for (const thread of threads) thread.says(done());
    const { ended, measuringAt } = await run;
    expect([ended, measuringAt]).toEqual(['interrupted', null]);
    expect(heard).toEqual(['opening', 'draining']);
    expect(threads[0]!.words).toEqual(['openFirst', 'openAll', 'stop']);
  });

  test('stop by a watcher that has just heard that all is open: no start is given behind it', async () => {
    const staged: { controller?: Controller } = {};
    const { threads, heard, run } = Object.assign(
      staged,
      stage(1, { onPulse: () => staged.controller!.stop('interrupted') }),
    );
    threads[0]!.opened(1);
    await settled();
    threads[0]!.opened(5);
    await settled();
    expect(threads[0]!.words).toEqual(['openFirst', 'openAll', 'stop']);
    expect(heard).toEqual(['opening', 'draining']);
    threads[0]!.says(done());
    expect((await run).ended).toBe('interrupted');
  });

  test('abort, after a stop: what is in flight is given up, and all that say so are kept', async () => {
    const { threads, controller, run } = await running(2);
    controller.stop('interrupted');
    controller.abort();
    expect(threads.map(({ words }) => words.slice(-2))).toEqual([
      ['stop', 'abort'],
      ['stop', 'abort'],
    ]);
    for (const thread of threads) thread.says(done());
    const { ended, collector } = await run;
    expect([ended, collector.finals.length]).toEqual(['interrupted', 2]);
  });

  test('abort with a thread that hangs: what it had last said is kept, and it is ended with the others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { threads, controller, run } = await running(2);
    threads[0]!.says(second(0, 5));
    threads[1]!.says(second(0, 6));
    controller.stop('interrupted');
    controller.abort();
    threads[0]!.says(second(1, 7));
    threads[0]!.says(done(99));
    await vi.runAllTimersAsync();
    const { collector, ended, failure } = await run;
    expect([ended, failure]).toEqual(['interrupted', null]);
    expect(collector.finals.map(({ bytesIn }) => bytesIn)).toEqual([99]);
    expect(collector.lost.map(({ bytesIn }) => bytesIn)).toEqual([1]);
    expect(collector.intervals.map(({ totals }) => totals.started)).toEqual([11, 7]);
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
  });

  test('by a watcher, after a second that is complete over all threads', async () => {
    const seen: number[] = [];
    const { threads, run } = await running(2, {
      onInterval: ({ totals }) => seen.push(totals.started) === 2,
    });
    for (const index of [0, 1]) {
      threads[0]!.says(second(index, 1));
      expect(threads[0]!.words).not.toContain('stop');
      threads[1]!.says(second(index, 2));
    }
    expect(seen).toEqual([3, 3]);
    expect(threads.map(({ words }) => words.at(-1))).toEqual(['stop', 'stop']);
    for (const thread of threads) thread.says(done());
    expect((await run).ended).toBe('aborted');
  });

  test('by a threshold that says so, but not by what comes after the last phase', async () => {
    const plan = planFor({ thresholds: { availability: [{ rule: 'rate > 99%', abortOnFail: true }] } });
    const downFor = (index: number): FromWorker => {
      const slots = new SlotRecorder();
      slots.start(0);
      slots.note('unanswered', index * 1e9, (index + 1) * 1e9 - 1);
      return {
        type: 'interval',
        interval: shardSecond(index, { slots: slots.take() }),
        soFar: shardTotals(),
      };
    };
    const down = await running(1, { plan });
    down.threads[0]!.says(downFor(0));
    expect(down.threads[0]!.words.at(-1)).toBe('stop');
    down.threads[0]!.says(done());
    expect((await down.run).ended).toBe('aborted');

    const over = await running(1, { plan });
    over.threads[0]!.says({ type: 'measured' });
    over.threads[0]!.says(downFor(0));
    expect(over.threads[0]!.words.at(-1)).toBe('start');
    over.threads[0]!.says(done());
    expect((await over.run).ended).toBe('complete');
  });
});
