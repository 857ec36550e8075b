import { evaluateThresholds, type ThresholdSubject } from '../result/evaluate-thresholds.js';
import type { ThresholdResult } from '../result/result.js';
import { wholeSeconds } from '../result/threshold-subject.js';
import type { MetricKey } from '../scenario/metric-key.js';
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

  /** The first threshold that has failed by now; null while all hold, or have nothing to go by. */
  failed(collector: Collector): ThresholdResult | null {
    if (this.rules.length === 0) return null;
    const results = evaluateThresholds(this.rules, runningRun(this.plan, collector));
    return results.find(({ pass, detail }) => !pass && detail !== 'no samples to judge by') ?? null;
  }
}

// A count that has not been reached may still be.
function canFailEarly(rule: string): boolean {
  const { measure, operator } = parseThresholdRule(rule);
  return measure !== 'count' || operator === '<' || operator === '<=';
}

/** A run that goes on as thresholds see it: what whole seconds have brought so far. */
function runningRun(plan: Plan, collector: Collector): ThresholdSubject {
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
    histogram: (key) => {
      const times = key.name.startsWith('handshake.')
        ? collector.handshakeMetric(key.name)
        : collector.callMetric(key.name as CallMetric, which(key));
      return times === null || times.count === 0 ? null : times.snapshot();
    },
    counts: (key) => {
      if (key.name.startsWith('handshake.')) return { started: 0, ok: 0, failed: 0 };
      const ok = collector.callMetric('call.response', which(key)).count;
      const failed = collector.callMetric('failed.response', which(key)).count + notSent(key);
      return { started: ok + failed, ok, failed };
    },
    durationMs: elapsedMs,
    intervals: () => wholeSeconds(collector.intervals, null, elapsedMs()),
  };
}
