import { type MetricKey, metricKey } from '../stats/metric-key.js';
import { failedCalls } from './conservation.js';
import type { ThresholdSubject } from './evaluate-thresholds.js';
import { lessLoad } from './less-load.js';
import { timesOf } from './measured-metric.js';
import { pausesIn, pausesOver } from './pauses.js';
import type { Interval, Metric, RunResult } from './result.js';

type Finished = Pick<
  RunResult,
  | 'scenario'
  | 'target'
  | 'metrics'
  | 'phases'
  | 'operations'
  | 'totals'
  | 'sessions'
  | 'durationMs'
  | 'intervals'
>;

/** A finished run as thresholds see it. */
export function finishedRun(run: Finished): ThresholdSubject {
  const phaseOf = (key: MetricKey) => run.phases.find(({ name }) => name === key.phase);
  return {
    times(key) {
      const name = metricKey(key.name, key.tool);
      const metric: Metric | undefined = (key.phase === null ? run.metrics : (phaseOf(key)?.metrics ?? {}))[
        name
      ];
      return metric === undefined ? null : timesOf(metric);
    },
    pauses: (key) => (key.phase === null ? pausesOver(run.phases) : pausesIn(phaseOf(key)?.generator)),
    lessLoad: (key) =>
      lessLoad(run, key.phase === null ? run.phases : run.phases.filter(({ name }) => name === key.phase)),
    counts(key) {
      if (key.name.startsWith('handshake.')) {
        const { opened, ready, failed } = run.sessions;
        return { started: opened, ok: ready, failed };
      }
      const whole = key.phase === null ? run : phaseOf(key);
      const part =
        key.tool === null ? whole?.totals : whole?.operations.find(({ name }) => name === key.tool);
      if (part === undefined) return { started: 0, ok: 0, failed: 0 };
      // That a call still waited when the run was cut short says nothing of how it would have ended.
      const failed = failedCalls(part.outcomes) - (part.cutOff ?? 0);
      return { started: part.started, ok: part.outcomes.ok, failed };
    },
    durationMs: (key) => (key.phase === null ? run.durationMs : (phaseOf(key)?.durationMs ?? 0)),
    availability: () => run.totals.availability ?? null,
    intervals: (key) =>
      wholeSeconds(run.intervals, key.phase === null ? null : (phaseOf(key) ?? null), run.durationMs),
  };
}

/** Whole seconds within the measured phases, or within one of them. */
export function wholeSeconds(
  intervals: readonly Interval[],
  phase: { startMs: number; durationMs: number } | null,
  durationMs: number,
): readonly Interval[] {
  const fromMs = phase?.startMs ?? 0;
  const toMs = phase === null ? durationMs : phase.startMs + phase.durationMs;
  return intervals.filter(
    (each) => each.durationMs >= 999 && each.atMs >= fromMs - 1 && each.atMs + each.durationMs <= toMs + 1,
  );
}
