import { evaluateThresholds, type ThresholdSubject } from '../result/evaluate-thresholds.js';
import { noPauses } from '../result/disturbance.js';
import type { ThresholdResult } from '../result/result.js';
import { wholeSeconds } from '../result/threshold-subject.js';
import type { MetricKey } from '../stats/metric-key.js';
import type { Plan, ThresholdPlan } from '../scenario/plan.js';
import { parseThresholdRule } from '../scenario/threshold-rule.js';
import type { CallMetric } from '../stats/recorder.js';
import type { Collector } from './collector.js';

/** Watches the thresholds that end a run early. */
export class AbortRules {
  private readonly rules: readonly ThresholdPlan[];

  constructor(private readonly plan: Plan) {
    this.rules = plan.thresholds.filter(({ rule, abortOnFail }) => abortOnFail && canFailEarly(rule));
  }

  /** The first threshold that has failed by now; null while all hold, or have nothing to go by. To be asked after each second. */
  failed(collector: Collector): ThresholdResult | null {
    if (this.rules.length === 0) return null;
    const results = this.rules.flatMap((rule) =>
      evaluateThresholds([rule], runningRun(this.plan, collector, windowSeconds(rule))),
    );
    return (
      results.find(({ state, detail }) => state === 'fail' && detail !== 'no samples to judge by') ?? null
    );
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
function runningRun(plan: Plan, collector: Collector, newestSeconds: number): ThresholdSubject {
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
    // Pauses, and how busy the generator was, show when the phase is over: the final judgement takes them into account.
    pauses: () => noPauses,
    lessLoad: () => null,
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
