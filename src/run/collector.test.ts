import { describe, expect, test } from 'vitest';
import { noPauses } from '../result/disturbance.js';
import { Recorder, type RecorderSnapshot } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { Collector } from './collector.js';
import { shardFinal, shardPhase, shardSecond, shardTotals } from './shards.fixture.js';

const ms = 1e6;
const second = 1e9;

/** What a worker recorded of calls that ended ok: phase, operation and latency of each. */
function recorded(
  calls: readonly (readonly [phase: number, operation: number, ms: number])[],
): RecorderSnapshot {
  const recorder = new Recorder(2, 2);
  for (const [phase, operation, latencyMs] of calls)
    recorder.ok(phase, operation, 0, 0, 0, 0, latencyMs * ms, 0);
  return recorder.takeInterval();
}

const tools = ['echo', 'add'];

describe('seconds', () => {
  test('are whole once the last worker has told of them, in whatever order they come', () => {
    const collector = new Collector(2, 1, tools);
    expect(collector.add(shardSecond(0, { started: 1, ok: 1, sessionsReady: 4 }))).toBeNull();
    expect(collector.add(shardSecond(1, { started: 10 }))).toBeNull();
    const first = collector.add(shardSecond(0, { started: 2, ok: 1, failed: 1, sessionsReady: 5 }));
    expect(first).toMatchObject({
      atMs: 0,
      durationMs: 1000,
      totals: { started: 3, ok: 2, failed: 1, sessionsReady: 9 },
    });
    expect(collector.add(shardSecond(1, { started: 20 }))).toMatchObject({ totals: { started: 30 } });
    expect(collector.intervals).toHaveLength(2);
  });

  test('that a worker never told of are closed at the end, in their order', () => {
    const collector = new Collector(2, 1, tools);
    for (const index of [2, 1]) collector.add(shardSecond(index, { started: index }));
    collector.closeAll();
    collector.closeAll();
    expect(collector.intervals.map(({ atMs, totals }) => [atMs, totals.started])).toEqual([
      [1000, 1],
      [2000, 2],
    ]);
  });

  test('the last is as long as its longest part', () => {
    const collector = new Collector(2, 1, tools);
    collector.add(shardSecond(0, { durationNs: 0.25 * second }));
    expect(collector.add(shardSecond(0, { durationNs: 0.75 * second }))).toMatchObject({ durationMs: 750 });
  });

  test('have the figures of all workers’ calls together', () => {
    const collector = new Collector(2, 2, tools);
    collector.add(shardSecond(0, { recorded: recorded([[0, 0, 10]]) }));
    const whole = collector.add(
      shardSecond(0, {
        recorded: recorded([
          [1, 1, 30],
          [0, 0, 20],
        ]),
      }),
    );
    const { count, max } = whole!.metrics['call.response']!;
    expect([count, Math.round(max / ms)]).toEqual([3, 30]);
    expect(whole!.metrics['call.ack'], 'nothing was timed').toBeUndefined();
  });
});

describe('times', () => {
  const collector = new Collector(2, 2, tools);
  collector.add(
    shardSecond(0, {
      recorded: recorded([
        [0, 0, 1],
        [0, 1, 2],
        [1, 0, 3],
      ]),
    }),
  );
  collector.add(shardSecond(0, { recorded: recorded([[0, 0, 4]]) }));
  collector.add(shardSecond(1, { recorded: recorded([[1, 1, 5]]) }));

  test.each([
    [{}, 5],
    [{ phase: 0 }, 3],
    [{ operation: 0 }, 3],
    [{ phase: 0, operation: 0 }, 2],
    [{ phase: 1, operation: 1 }, 1],
  ])('of %j add up over workers and seconds, also of one that is not whole', (which, count) => {
    expect(collector.callMetric('call.response', which).count).toBe(count);
  });

  test('stand under the names by which results hold them; what was never timed is not there', () => {
    const metrics = collector.runMetrics(noPauses);
    expect(Object.keys(metrics).filter((name) => name.startsWith('call.response'))).toEqual([
      'call.response',
      'call.response{tool:echo}',
      'call.response{tool:add}',
    ]);
    expect(metrics['call.response']!.count).toBe(5);
    expect(Object.keys(metrics).filter((name) => /ack|handshake/i.test(name))).toEqual([]);
    expect(collector.phaseMetrics(1, noPauses)['call.response']!.count).toBe(2);
    expect(collector.edgedHandshake('handshake.total')).toBeNull();
  });

  test('what they were at the least, without the generator’s own part, is kept apart', () => {
    const recorder = new Recorder(1, 1);
    recorder.ok(0, 0, 0, 3 * ms, 0, 3 * ms, 10 * ms, 2 * ms);
    const one = new Collector(1, 1, ['echo']);
    one.add(shardSecond(0, { recorded: recorder.takeInterval() }));
    const { seen, least, most } = one.edgedTimes('call.response', {})!;
    expect([seen.maxNs, least?.maxNs, most]).toEqual([10 * ms, 5 * ms, null]);
    const figures = one.intervals[0]!.metrics['call.response']!;
    expect(figures.leastHdr).not.toBe(figures.hdr);
  });
});

describe('availability', () => {
  /** Answered in the first half of the second, unanswered in the other. */
  const half = (): Int32Array => {
    const slots = new SlotRecorder();
    slots.start(0);
    slots.note('answered', 0, 0.5 * second - 1);
    slots.note('unanswered', 0.5 * second, second - 1);
    return slots.take();
  };

  test('is judged only as far as no worker can still change it', () => {
    const collector = new Collector(2, 1, tools);
    collector.add(shardSecond(0, { slots: half() }));
    expect(collector.availabilitySoFar().share, 'one worker has not told').toBeNull();
    collector.add(shardSecond(0, { settledNs: 0.45 * second }));
    expect(collector.availabilitySoFar(), 'a call sent in the fifth slot is still open').toMatchObject({
      share: 1,
    });
  });

  test('of the whole is that of the measured phases, and not of the drain', () => {
    const collector = new Collector(1, 1, tools);
    collector.add(shardSecond(0, { slots: half() }));
    collector.finals.push(shardFinal({ phases: [shardPhase({ endNs: 0.8 * second })] }));
    expect(collector.measured().availability).toMatchObject({ share: 5 / 8 });
  });
});

test('a worker that crashed counts with what it had said last', () => {
  const collector = new Collector(2, 1, tools);
  collector.finals.push(shardFinal({ bytesIn: 1 }));
  collector.lost.push(shardTotals({ bytesIn: 2 }));
  expect(collector.totals.map(({ bytesIn }) => bytesIn)).toEqual([1, 2]);
});
