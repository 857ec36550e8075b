import type { ExecuteOptions } from '../../run/execute-options.js';
import type { Interval } from '../../result/result.js';
import type { Plan } from '../../scenario/plan.js';
import { createProgress } from '../../report/run/progress.js';

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
  let pulse = { sessionsReady: 0, inFlight: 0, okTotal: 0 };
  const pace = new Pace();
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
      callsPerSec: pace.perSec,
      p50Ns: response?.p50 ?? null,
      p99Ns: response?.p99 ?? null,
      errors,
      inFlight: pulse.inFlight,
      nextBurstMs: state === 'running' ? nextBurstMs(plan, elapsedMs) : null,
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
        pace.note(performance.now(), next.okTotal);
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

/** Calls per second over about the last second. */
class Pace {
  private readonly seen: { atMs: number; total: number }[] = [];

  note(atMs: number, total: number): void {
    this.seen.push({ atMs, total });
    while (this.seen.length > 2 && this.seen[1].atMs < atMs - 1000) this.seen.shift();
  }

  get perSec(): number {
    const [first] = this.seen;
    const last = this.seen.at(-1);
    if (last === undefined || last.atMs === first.atMs) return 0;
    return ((last.total - first.total) * 1000) / (last.atMs - first.atMs);
  }
}

function measuredMs(plan: Plan): number | null {
  let sumNs = plan.warmupNs;
  for (const { durationNs } of plan.phases) {
    if (durationNs === null) return null;
    sumNs += durationNs;
  }
  return sumNs / 1e6;
}

// Bursts that come closer are seen, and need not be announced.
const shortestWaitMs = 1000;

/** How long it is until the next burst; null where none is due, or one comes every second. */
export function nextBurstMs(plan: Plan, elapsedMs: number): number | null {
  // The warm-up is a piece of the first phase, and begins a grid of its own.
  let beganMs = 0;
  let endMs = plan.warmupNs / 1e6;
  let phase = plan.phases[0]!;
  for (let at = 0; elapsedMs >= endMs; at++) {
    if (at === plan.phases.length) return null;
    phase = plan.phases[at]!;
    beganMs = endMs;
    endMs += phase.durationNs === null ? Infinity : phase.durationNs / 1e6;
  }
  if (phase.load.model !== 'burst') return null;
  const everyMs = phase.load.everyNs / 1e6;
  const leftMs = everyMs - ((elapsedMs - beganMs) % everyMs);
  return everyMs <= shortestWaitMs || elapsedMs + leftMs >= endMs ? null : leftMs;
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
