import { describe, expect, test } from 'vitest';
import type { ShardTotals } from '../load/shard-report.js';
import { describeEnvironment } from '../result/environment.js';
import type { RunResult } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';
import { noOutcomes, type Outcomes } from '../stats/outcomes.js';
import { Recorder, type Tally } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { assembleResult, type RunFacts } from './assemble.js';
import { Collector } from './collector.js';
import { planFor, shardFinal, shardPhase, shardSecond } from './shards.fixture.js';

const second = 1e9;

function tally(started: number, outcomes: Partial<Outcomes> = {}, cutOff = 0): Tally {
  return { started, outcomes: { ...noOutcomes(), ...outcomes }, cutOff };
}

interface Given {
  readonly plan?: Plan;
  /** One for each worker that came to its end. */
  readonly finals: readonly Parameters<typeof shardFinal>[0][];
  readonly lost?: readonly ShardTotals[];
  readonly facts?: Partial<RunFacts>;
  readonly prepare?: (collector: Collector) => void;
}

function assemble({ plan = planFor(), finals, lost = [], facts, prepare }: Given): RunResult {
  const workers = finals.length + lost.length;
  const names = plan.operations.map(({ name }) => name);
  const collector = new Collector(workers, plan.phases.length, names);
  prepare?.(collector);
  collector.finals.push(...finals.map((change) => shardFinal(change)));
  collector.lost.push(...lost);
  collector.closeAll();
  return assembleResult(collector, {
    plan,
    toolVersion: '0.0.0-test',
    startedAt: new Date(0),
    ended: 'complete',
    connectFailure: null,
    target: {
      url: plan.target.url,
      transport: 'sse',
      era: 'sessions',
      bodies: [],
      dialect: 'classic',
      server: null,
      protocolVersion: null,
      builtIn: false,
    },
    environment: { ...describeEnvironment({ workers, pacing: 'timer', tags: {} }), cores: 4 },
    maxRssBytes: 1,
    openFilesLimit: 1024,
    cpuWithin: () => ({ othersShare: null, targetShare: null, stolenShare: null }),
    ...facts,
  });
}

describe('totals', () => {
  test('add up over the workers, the warm-up apart, and what was not sent is not sent', () => {
    const { totals, warmup } = assemble({
      finals: [
        {
          tallies: [tally(2, { ok: 2 }), tally(10, { ok: 8, notSent: 2 })],
          bytesIn: 5,
          bytesInBefore: 100,
        },
        {
          tallies: [tally(1, { timeout: 1 }), tally(4, { ok: 3, rpcError: { '-32601': 1 } })],
          bytesIn: 6,
          bytesInBefore: 200,
        },
      ],
    });
    expect(totals).toMatchObject({ started: 14, sent: 12, bytesIn: 11, conserved: true });
    expect(totals.outcomes).toEqual({ ...noOutcomes(), ok: 11, notSent: 2, rpcError: { '-32601': 1 } });
    expect(warmup).toMatchObject({ started: 3, sent: 3, bytesIn: 300 });
  });

  test('say how many calls still waited when the run was cut short, and nothing where there are none', () => {
    const cut = assemble({
      finals: [1, 2].map((cutOff) => ({ tallies: [tally(0), tally(4, { ok: 1, notSent: 3 }, cutOff)] })),
    });
    expect(cut.totals).toMatchObject({ started: 8, sent: 2, cutOff: 3, conserved: true });
    expect([cut.phases[0]!.totals.cutOff, cut.operations[0]!.cutOff]).toEqual([3, 3]);
    const whole = assemble({ finals: [{ tallies: [tally(0), tally(4, { ok: 1, notSent: 3 })] }] });
    for (const part of [whole.totals, whole.phases[0]!.totals, whole.operations[0]!])
      expect('cutOff' in part).toBe(false);
  });

  test('are not conserved where a call has no outcome, be it of the warm-up', () => {
    const whole = tally(3, { ok: 3 });
    for (const tallies of [
      [whole, tally(3, { ok: 2 })],
      [tally(3, { ok: 2 }), whole],
    ]) {
      const { totals, validity } = assemble({ finals: [{ tallies }] });
      expect(totals.conserved).toBe(false);
      expect(validity.reasons.map(({ code }) => code)).toContain('not-conserved');
    }
  });

  test('of a worker that crashed count, but nobody knows what it had in flight', () => {
    const tallies = [tally(0), tally(5, { ok: 5 })];
    const { totals } = assemble({ finals: [{ tallies }], lost: [shardFinal({ tallies })] });
    expect(totals).toMatchObject({ started: 10, conserved: false });
  });

  test('know sessions, oddities and what the connections did', () => {
    const sessions = { opened: 3, ready: 2, failed: 1, dropped: 1, reconnects: 1, closed: 1, abandoned: 0 };
    const worker = {
      sessions: { ...sessions, failures: { connect: 1 }, peakReady: 2 },
      connectRetries: 4,
      extraConnections: 5,
      strayAnswers: 6,
    };
    const result = assemble({ finals: [worker, worker] });
    expect(result.sessions).toMatchObject({
      opened: 6,
      ready: 4,
      failures: { connect: 2 },
      peakReady: 4,
      connectRetries: 8,
    });
    expect(result.totals.oddities).toMatchObject({ extraConnection: 10, strayAnswer: 12 });
  });
});

describe('phases', () => {
  const half = { duration: '1s', load: { model: 'rate', perSecond: 100 } } as const;
  const plan = planFor({
    duration: undefined,
    load: undefined,
    phases: [
      { name: 'low', ...half },
      { name: 'high', duration: '3s', load: { model: 'rate', perSecond: 500 } },
    ],
  });
  const none = tally(0);

  test('begin with their first worker and end with their last; calls that ended ok within make their rate', () => {
    const tallies = [none, tally(60, { ok: 60 }), tally(90, { ok: 90 })];
    const result = assemble({
      plan,
      finals: [
        {
          tallies,
          phases: [
            shardPhase({ okWithin: [50] }),
            shardPhase({ startNs: second, endNs: 4 * second, okWithin: [90] }),
          ],
        },
        {
          tallies,
          phases: [
            shardPhase({ startNs: 0.1 * second, endNs: 1.25 * second, okWithin: [50] }),
            shardPhase({ startNs: second, endNs: 3 * second, okWithin: [60] }),
          ],
        },
      ],
    });
    expect(
      result.phases.map(({ name, startMs, durationMs, totals }) => ({
        name,
        startMs,
        durationMs,
        ...totals,
      })),
    ).toMatchObject([
      { name: 'low', startMs: 0, durationMs: 1250, callsPerSec: 80, started: 120, offeredPerSec: 100 },
      { name: 'high', startMs: 1000, durationMs: 3000, callsPerSec: 50, started: 180, offeredPerSec: 500 },
    ]);
    expect(result.durationMs).toBe(4250);
    expect(result.totals.offeredPerSec).toBeCloseTo((100 * 1250 + 500 * 3000) / 4250);
    expect(result.operations).toMatchObject([{ name: 'echo', started: 300 }]);
  });

  test('one that never began is left out', () => {
    const result = assemble({ plan, finals: [{ tallies: [none, none, none], phases: [shardPhase()] }] });
    expect(result.phases.map(({ name }) => name)).toEqual(['low']);
  });

  test('a closed loop offers no rate, and then the run has none', () => {
    const closed = planFor({ load: { model: 'closed', inFlight: 1 } });
    const { phases, totals } = assemble({ plan: closed, finals: [{}] });
    expect([phases[0]!.totals.offeredPerSec, totals.offeredPerSec]).toEqual([null, null]);
  });

  test('a worker’s pauses count for as much as it made of the calls, its CPU for what it took', () => {
    const { phases } = assemble({
      finals: [
        { phases: [shardPhase({ okWithin: [90] }, { heldUpNs: 0, cpuNs: 0.4 * second })] },
        { phases: [shardPhase({ okWithin: [10] }, { heldUpNs: 0.5 * second, longestTurnNs: 9e6 })] },
      ],
    });
    const { heldUpShare, ownCpuShare, longestTurnMs, loopUtilisation } = phases[0]!.generator!;
    expect([heldUpShare, longestTurnMs, loopUtilisation]).toEqual([0.05, 9, [0.2, 0.2]]);
    expect(ownCpuShare, 'of four cores').toBeCloseTo((0.4 + 0.3) / 4);
  });

  test('what the hypervisor takes is asked for each phase by itself', () => {
    const asked: [number, number][] = [];
    const cpuWithin: RunFacts['cpuWithin'] = (fromMs, toMs) => {
      asked.push([fromMs, toMs]);
      return { othersShare: 0.1, targetShare: 0.2, stolenShare: 0.3 };
    };
    const phase = shardPhase({ startNs: second, endNs: 2 * second });
    const { phases, generator } = assemble({
      finals: [{ tallies: [none, tally(1, { ok: 1 })], phases: [phase] }],
      facts: { cpuWithin },
    });
    expect(asked).toEqual([
      [1000, 2000],
      [0, 1000],
    ]);
    expect(phases[0]!.generator).toMatchObject({ stolenCpuShare: 0.3, targetCpuShare: 0.2 });
    expect(generator.pausedShare).toBe(0.3);
  });
});

describe('what is said of the run', () => {
  test('one example of each kind, whichever worker’s; a bug of ours, too, and that makes it suspect', () => {
    const { examples, validity } = assemble({
      finals: [
        { examples: { timeout: 'no response' } },
        { examples: { httpError: '503' }, internalErrors: { count: 1, example: 'TypeError' } },
      ],
    });
    expect(examples).toEqual({ timeout: 'no response', httpError: '503', 'internal error': 'TypeError' });
    expect(validity.state).toBe('suspect');
  });

  test('the limits of this machine, by what they were', () => {
    const { validity } = assemble({ finals: [{ limitsHit: { EMFILE: 2 } }, { limitsHit: { EMFILE: 1 } }] });
    const said = JSON.stringify(validity);
    expect(said).toContain('3 attempts to connect failed with EMFILE (1024 open files)');
  });

  test('why nobody is there any more only where it was down when last seen', () => {
    const gone = (mark: 'answered' | 'unanswered'): string | null => {
      const slots = new SlotRecorder();
      slots.start(0);
      slots.note(mark, 0, second - 1);
      return assemble({
        finals: [{}],
        facts: { connectFailure: 'connection refused' },
        prepare: (collector) => void collector.add(shardSecond(0, { slots: slots.take() })),
      }).totals.availability!.gone;
    };
    expect([gone('unanswered'), gone('answered')]).toEqual(['connection refused', null]);
  });

  test('thresholds are judged by all workers’ calls', () => {
    const recorder = new Recorder(1, 1);
    for (let call = 0; call < 10; call++) recorder.ok(0, 0, 0, 0, 0, 0, 50e6, 0);
    const plan = planFor({ thresholds: { 'call.response': ['p(50) < 100ms', 'p(50) < 10ms'] } });
    const { thresholds } = assemble({
      plan,
      finals: [{}],
      prepare: (collector) => void collector.add(shardSecond(0, { recorded: recorder.takeInterval() })),
    });
    expect(thresholds.map(({ state }) => state)).toEqual(['pass', 'fail']);
  });
});
