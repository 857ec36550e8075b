import type { ExecuteOptions } from '../run/run.js';
import type { Interval } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';
import { createProgress } from '../report/progress.js';

/** Live progress of a run on standard error, fed by what the run lets be watched. */
export function watchRun(
  plan: Plan,
  options: { tty: boolean; colour: boolean; width: number },
): {
  watcher: Pick<ExecuteOptions, 'onState' | 'onPulse' | 'onInterval'>;
  finish(): void;
} {
  const progress = createProgress(process.stderr, options);
  let state = 'opening';
  let startedMs = performance.now();
  let pulse = { sessionsReady: 0, inFlight: 0 };
  let last: Interval | null = null;
  let errors = 0;
  const totalMs = measuredMs(plan);
  const show = (): void => {
    const elapsedMs = state === 'opening' ? 0 : performance.now() - startedMs;
    const response = last?.metrics['call.response'];
    progress.update({
      phase:
        state === 'opening'
          ? 'opening sessions'
          : state === 'draining'
            ? 'draining'
            : phaseAt(plan, elapsedMs),
      elapsedMs,
      totalMs,
      sessionsReady: pulse.sessionsReady,
      sessionsWanted: plan.sessions.count,
      callsPerSec: last === null ? 0 : (last.totals.ok * 1000) / Math.max(1, last.durationMs),
      p50Ns: response?.p50 ?? null,
      p99Ns: response?.p99 ?? null,
      errors,
      inFlight: pulse.inFlight,
    });
  };
  return {
    watcher: {
      onState: (next) => {
        if (next === 'running') startedMs = performance.now();
        state = next;
        show();
      },
      onPulse: (next) => {
        pulse = next;
        show();
      },
      onInterval: (interval) => {
        last = interval;
        errors += interval.totals.failed + interval.totals.notSent;
        show();
        return false;
      },
    },
    finish: () => progress.finish(),
  };
}

function measuredMs(plan: Plan): number | null {
  let sumNs = plan.warmupNs;
  for (const { durationNs } of plan.phases) {
    if (durationNs === null) return null;
    sumNs += durationNs;
  }
  return sumNs / 1e6;
}

function phaseAt(plan: Plan, elapsedMs: number): string {
  let endMs = plan.warmupNs / 1e6;
  if (elapsedMs < endMs) return 'warm-up';
  for (const { name, durationNs } of plan.phases) {
    endMs += durationNs === null ? Infinity : durationNs / 1e6;
    if (elapsedMs < endMs) return name;
  }
  return 'draining';
}
