import { describe, expect, test } from 'vitest';
import type { PhaseHealth, ShardInterval } from '../load/shard-report.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { Recorder } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { AbortRules } from './abort-rules.js';
import { Collector } from './collector.js';
import { shardPhase, shardTotals } from './shards.fixture.js';

const ms = 1e6;
const second = { okCalls: 100, slowCalls: 0, latencyMs: 5, failedCalls: 0, up: true, settledMs: 1000 };

/** What rules say after each second of a run of two phases, calm and busy, three seconds each. */
function watch(
  thresholds: ScenarioInput['thresholds'],
  seconds: readonly Partial<typeof second>[],
  first: object = { duration: '3s', load: { model: 'rate', perSecond: 100 } },
  generator: { stolenShare?: number; health?: Partial<PhaseHealth> } = {},
): (string | null)[] {
  const plan = planScenario({
    name: 'abort',
    sessions: 1,
    phases: [
      { name: 'calm', ...first },
      { name: 'busy', duration: '3s', load: { model: 'rate', perSecond: 100 } },
    ],
    calls: [{ tool: 'echo' }],
    thresholds,
  } as ScenarioInput);
  const { stolenShare = 0, health = {} } = generator;
  const rules = new AbortRules(plan, {
    cpuWithin: () => ({ othersShare: null, targetShare: 0.1, stolenShare }),
    targetResources: () => null,
  });
  const collector = new Collector(1, plan.phases.length, ['echo']);
  const recorder = new Recorder(plan.phases.length, 1);
  return seconds.map((change, index) => {
    collector.add(shardSecond(recorder, index, { ...second, ...change }));
    const totals = shardTotals({
      tallies: recorder.allTallies(),
      phases: [shardPhase({ endNs: 3e9 }, health), shardPhase({ startNs: 3e9, endNs: 6e9 }, health)],
    });
    return rules.failed(collector, [totals])?.rule ?? null;
  });
}

function shardSecond(recorder: Recorder, index: number, given: typeof second): ShardInterval {
  const { okCalls, slowCalls, latencyMs, failedCalls, up, settledMs } = given;
  const slots = new SlotRecorder();
  slots.start(0);
  slots.note(up ? 'answered' : 'unanswered', index * 1e9, (index + 1) * 1e9 - 1);
  const phase = index < 3 ? 0 : 1;
  for (let i = 0; i < okCalls; i++) recorder.ok(phase, 0, 0, 0, 0, 0, latencyMs * ms, 0);
  for (let i = 0; i < slowCalls; i++) recorder.ok(phase, 0, 0, 0, 0, 0, 500 * ms, 0);
  for (let i = 0; i < failedCalls; i++) recorder.failed(phase, 0, 'timeout', latencyMs * ms, 0);
  return {
    index,
    startNs: index * 1e9,
    durationNs: 1e9,
    recorded: recorder.takeInterval(),
    started: okCalls + failedCalls,
    ok: okCalls,
    failed: failedCalls,
    notSent: 0,
    answered: okCalls,
    cancelled: 0,
    bytesIn: 0,
    bytesOut: 0,
    slots: slots.take(),
    settledNs: index * 1e9 + settledMs * 1e6,
    sessionsReady: 1,
    inFlight: 0,
  };
}

const abort = (rule: string): [{ rule: string; abortOnFail: true }] => [{ rule, abortOnFail: true }];
const six = (change: (at: number) => Partial<typeof second>): Partial<typeof second>[] =>
  Array.from({ length: 6 }, (_, at) => change(at));

describe('over the whole run', () => {
  test('it ends with the second in which the rule fails, and not where the rule does not ask for it', () => {
    const slowThird = six((at) => ({ latencyMs: at >= 2 ? 500 : 5 }));
    const rule = 'p(60) < 100ms';
    expect(watch({ 'call.response': abort(rule) }, slowThird)).toEqual([null, null, null, rule, rule, rule]);
    expect(watch({ 'call.response': [rule] }, slowThird)).toEqual([null, null, null, null, null, null]);
  });

  test('nothing to go by yet ends nothing', () => {
    const silent = six(() => ({ okCalls: 0 }));
    expect(watch({ 'call.response': abort('p(50) < 1ms') }, silent)).toEqual(silent.map(() => null));
    expect(watch({ calls: abort('count > 1000') }, silent)).toEqual(silent.map(() => null));
  });

  test('errors as a share', () => {
    const rule = 'rate < 10%';
    const failing = six((at) => ({ failedCalls: at === 1 ? 50 : 0 }));
    expect(watch({ errors: abort(rule) }, failing).slice(0, 3)).toEqual([null, rule, rule]);
  });
});

test('availability: ends with the second in which too much of the time was down, and not by what may still be answered', () => {
  const rule = 'rate > 60%';
  const dies = six((at) => ({ up: at < 2 }));
  expect(watch({ availability: abort(rule) }, dies)).toEqual([null, null, null, rule, rule, rule]);
  const open = six((at) => ({ up: at < 2, settledMs: at < 2 ? 1000 : 2000 - at * 1000 }));
  expect(watch({ availability: abort(rule) }, open)).toEqual(open.map(() => null));
});

test('availability over windows, too, also where several seconds become known at once', () => {
  const rule = 'rate > 60% for 2s';
  const dies = six((at) => ({ up: at < 2 }));
  expect(watch({ availability: abort(rule) }, dies)).toEqual([null, null, rule, rule, rule, rule]);
  // Down in the third and fourth second, which shows in the fifth, when it is up again.
  const late = six((at) => ({
    up: at !== 2 && at !== 3,
    settledMs: at === 2 || at === 3 ? 2000 - at * 1000 : 1000,
  }));
  expect(watch({ availability: abort(rule) }, late)).toEqual([null, null, null, null, rule, rule]);
  // Half of the third second is known, and belongs to none of the two before it.
  const half = six((at) => ({ up: at < 2, settledMs: at < 2 ? 1000 : 2500 - at * 1000 }));
  expect(watch({ availability: abort(rule) }, half)).toEqual(half.map(() => null));
});

describe('what the generator may have made of it ends nothing', () => {
  test('a percentile that pauses may have moved across the limit, over the run, a phase and a window', () => {
    // A third of each second's calls was slow, and for half of the time the machine had no core.
    const recorded = six(() => ({ okCalls: 100, slowCalls: 50 }));
    for (const [metric, rule] of [
      ['call.response', 'p(90) < 100ms'],
      ['call.response{phase:calm}', 'p(90) < 100ms'],
      ['call.response', 'p(90) < 100ms for 2s'],
    ] as const) {
      const steady = watch({ [metric]: abort(rule) }, recorded);
      expect(steady, 'with a core all the time').toContain(rule);
      const robbed = watch({ [metric]: abort(rule) }, recorded, undefined, { stolenShare: 0.5 });
      expect(robbed).toEqual(recorded.map(() => null));
    }
  });

  test('throughput of a closed loop whose generator could do no more', () => {
    const closed = { duration: '3s', load: { model: 'closed', inFlight: 1 } };
    const rule = 'rate > 1000/s';
    const seconds = six(() => ({})).slice(0, 3);
    const of = (busyNs: number): (string | null)[] =>
      watch({ 'calls{phase:calm}': abort(rule) }, seconds, closed, { health: { busyNs, elapsedNs: 3e9 } });
    expect(of(1e9)).toEqual(seconds.map(() => rule));
    expect(of(2.9e9)).toEqual(seconds.map(() => null));
  });
});

describe('of one phase', () => {
  test('a rate counts from its start: a phase that has not begun has missed nothing', () => {
    const rule = 'rate > 150/s';
    const busier = six((at) => ({ okCalls: at < 3 ? 100 : 200 }));
    expect(watch({ 'calls{phase:busy}': abort(rule) }, busier)).toEqual(busier.map(() => null));
    const idle = six((at) => ({ okCalls: at < 4 ? 200 : 20 }));
    expect(watch({ 'calls{phase:busy}': abort(rule) }, idle)).toEqual([null, null, null, null, rule, rule]);
    expect(watch({ 'calls{phase:calm}': abort(rule) }, idle), 'over, and was kept').toEqual(
      idle.map(() => null),
    );
  });

  test('a window lies within it', () => {
    const rule = 'p(50) < 100ms for 2s';
    const slowCalm = six((at) => ({ latencyMs: at < 3 ? 500 : 5 }));
    expect(watch({ 'call.response{phase:busy}': abort(rule) }, slowCalm)).toEqual(slowCalm.map(() => null));
    const slowBusy = six((at) => ({ latencyMs: at < 3 ? 5 : 500 }));
    expect(watch({ 'call.response{phase:busy}': abort(rule) }, slowBusy)).toEqual([
      null,
      null,
      null,
      null,
      rule,
      rule,
    ]);
  });

  test('behind a phase that ends by a number of calls its times are not known: left to the end of the run', () => {
    const slow = six(() => ({ latencyMs: 500, okCalls: 1 }));
    const counted = { load: { model: 'count', calls: 300, inFlight: 1 } };
    for (const [metric, rule] of [
      ['calls{phase:busy}', 'rate > 150/s'],
      ['call.response{phase:busy}', 'p(50) < 100ms for 2s'],
    ] as const)
      expect(watch({ [metric]: abort(rule) }, slow, counted)).toEqual(slow.map(() => null));
  });
});

test('a window fails in the second that completes it, and was judged for good by then', () => {
  const rule = 'p(50) < 100ms for 2s';
  const spike = six((at) => ({ latencyMs: at === 1 || at === 2 ? 500 : 5 }));
  expect(watch({ 'call.response': abort(rule) }, spike)[2]).toBe(rule);
});
