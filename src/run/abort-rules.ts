import type { ShardTotals } from '../load/shard-report.js';
import type { CpuShares } from '../machine/machine-cpu.js';
import { noPauses } from '../result/disturbance.js';
import { evaluateThresholds, type ThresholdSubject } from '../result/evaluate-thresholds.js';
import { lessLoad, type PhaseUnderLoad } from '../result/less-load.js';
import { pausesIn, pausesOver } from '../result/pauses.js';
import type { TargetResources, ThresholdResult } from '../result/result.js';
import { wholeSeconds } from '../result/threshold-subject.js';
import type { MetricKey } from '../stats/metric-key.js';
import type { Plan, ThresholdPlan } from '../scenario/plan.js';
import { parseThresholdRule } from '../scenario/threshold-rule.js';
import type { CallMetric, Tally } from '../stats/recorder.js';
import type { Collector } from './collector.js';
import { phaseGenerator } from './phase-generator.js';

/** What is known of the machine while a run goes on. */
export interface MachineSoFar {
  /** Whose its CPU was between two moments of the measurement. */
  cpuWithin(fromMs: number, toMs: number): CpuShares;
  /** What the target uses, where that is known. */
  targetResources(): TargetResources | null;
}

/** Watches the thresholds that end a run early. */
export class AbortRules {
  private readonly rules: readonly ThresholdPlan[];

  constructor(
    private readonly plan: Plan,
    private readonly machine: MachineSoFar,
  ) {
    this.rules = plan.thresholds.filter(({ rule, abortOnFail }) => abortOnFail && canFailEarly(rule));
  }

  /**
   * The first threshold that has failed by now; null while all hold, could still be turned by what the generator was kept from, or have nothing
   * to go by. To be asked after each second, with what each worker has counted.
   */
  failed(collector: Collector, totals: readonly ShardTotals[]): ThresholdResult | null {
    const failing = this.rules.filter((rule) => this.judge(rule, collector, []) !== null);
    if (failing.length === 0) return null;
    // Which takes longer, and makes no rule fail.
    const phases = this.phasesSoFar(totals);
    for (const rule of failing) {
      const result = this.judge(rule, collector, phases);
      if (result !== null) return result;
    }
    return null;
  }

  private judge(
    rule: ThresholdPlan,
    collector: Collector,
    phases: readonly PhaseUnderLoad[],
  ): ThresholdResult | null {
    const target = { resources: this.machine.targetResources() };
    const subject = runningRun(this.plan, collector, windowSeconds(rule), phases, target);
    const [result] = evaluateThresholds([rule], subject);
    return result!.state === 'fail' && result!.detail !== 'no samples to judge by' ? result! : null;
  }

  /** What is known of the phases that have begun: how much was sent in them, and what the generator and its machine did. */
  private phasesSoFar(totals: readonly ShardTotals[]): PhaseUnderLoad[] {
    const { plan, machine } = this;
    const width = plan.operations.length;
    return plan.phases.flatMap(({ name }, index) => {
      const parts = totals.map(({ phases }) => phases[index]).filter((part) => part !== undefined);
      if (parts.length === 0) return [];
      const startMs = Math.min(...parts.map(({ startNs }) => startNs)) / 1e6;
      const endMs = Math.max(...parts.map(({ endNs }) => endNs)) / 1e6;
      const tallies = totals.flatMap((each) => each.tallies.slice((index + 1) * width, (index + 2) * width));
      const sum = (pick: (tally: Tally) => number): number =>
        tallies.reduce((total, tally) => total + pick(tally), 0);
      const started = sum((tally) => tally.started);
      const sent = started - sum(({ outcomes }) => outcomes.notSent);
      const ok = sum(({ outcomes }) => outcomes.ok);
      const generator = phaseGenerator(parts, machine.cpuWithin(startMs, endMs), 1);
      return [{ name, totals: { started, sent, outcomes: { ok } }, generator }];
    });
  }
}

function windowSeconds({ rule }: ThresholdPlan): number {
  return (parseThresholdRule(rule).windowNs ?? 0) / 1e9;
}

// A count that has not been reached may still be.
function canFailEarly(rule: string): boolean {
  const { measure, operator } = parseThresholdRule(rule);
  return measure !== 'count' || operator === '<' || operator === '<=';
}

/**
 * A run that goes on as thresholds see it: what whole seconds have brought so far, and of windows the newest alone, as those before it were judged
 * when they were the newest.
 */
function runningRun(
  plan: Plan,
  collector: Collector,
  newestSeconds: number,
  phases: readonly PhaseUnderLoad[],
  target: { readonly resources: TargetResources | null },
): ThresholdSubject {
  const phasesOf = ({ phase }: MetricKey): readonly PhaseUnderLoad[] =>
    phases.filter(({ name }) => phase === null || name === phase);
  const which = (key: MetricKey): { phase?: number; operation?: number } => ({
    ...(key.phase === null ? {} : { phase: plan.phases.findIndex(({ name }) => name === key.phase) }),
    ...(key.tool === null ? {} : { operation: plan.operations.findIndex(({ name }) => name === key.tool) }),
  });
  const elapsedMs = (): number => collector.intervals.reduce((sum, { durationMs }) => sum + durationMs, 0);
  // A call that was never sent has no time in any histogram, and intervals do not tell phases and tools apart.
  const notSent = (key: MetricKey): number =>
    key.phase === null && key.tool === null
      ? collector.intervals.reduce((sum, { totals }) => sum + totals.notSent, 0)
      : 0;
  return {
    times: (key) =>
      key.name.startsWith('handshake.')
        ? collector.edgedHandshake(key.name)
        : collector.edgedTimes(key.name as CallMetric, which(key)),
    pauses: (key) =>
      key.phase === null
        ? pausesOver(phases)
        : (phasesOf(key).map(({ generator }) => pausesIn(generator))[0] ?? noPauses),
    lessLoad: (key) => lessLoad({ scenario: plan, target }, phasesOf(key)),
    counts: (key) => {
      if (key.name.startsWith('handshake.')) return { started: 0, ok: 0, failed: 0 };
      const ok = collector.callMetric('call.response', which(key)).count;
      const failed = collector.callMetric('failed.response', which(key)).count + notSent(key);
      return { started: ok + failed, ok, failed };
    },
    durationMs: (key) => {
      if (key.phase === null) return elapsedMs();
      const phase = phaseTimes(plan, key.phase);
      return phase === null ? 0 : Math.min(Math.max(0, elapsedMs() - phase.startMs), phase.durationMs);
    },
    availability: () => collector.availabilitySoFar(),
    intervals: (key) => {
      const phase = key.phase === null ? null : phaseTimes(plan, key.phase);
      if (key.phase !== null && phase === null) return [];
      if (newestSeconds === 0) return [];
      // What a call that is open now says of a second may show long after it: then several are judged at once.
      return key.name === 'availability'
        ? wholeSeconds(collector.settledIntervals(), phase, elapsedMs())
        : wholeSeconds(collector.intervals, phase, elapsedMs()).slice(-newestSeconds);
    },
  };
}

/** From when on and for how long a phase is planned; null where that shows only later: it, or one before it, ends by a number of calls. */
function phaseTimes(plan: Plan, name: string): { startMs: number; durationMs: number } | null {
  const at = plan.phases.findIndex((phase) => phase.name === name);
  const ends = plan.phases.slice(0, at + 1).map(({ durationNs }) => durationNs);
  if (ends.includes(null)) return null;
  const startMs = ends.slice(0, at).reduce((sum: number, ns) => sum + ns! / 1e6, 0);
  return { startMs, durationMs: ends[at]! / 1e6 };
}
