import type { Interval } from '../result/result.js';

/** Where a worker, or all of them together, stand at this moment. */
export interface Pulse {
  readonly sessionsReady: number;
  readonly inFlight: number;
  /** Calls that ended ok so far, of the warm-up too. */
  readonly okTotal: number;
}

/** What can be watched while a run goes on. */
export interface RunWatcher {
  onState?(state: 'opening' | 'running' | 'draining'): void;
  onPulse?(pulse: Pulse): void;
  /** A second of the measurement is complete over all workers; returning true ends the run early. */
  onInterval?(interval: Interval): boolean;
}

/** What a run can be given beside its plan. */
export interface ExecuteOptions extends RunWatcher {
  /** Arguments for the built-in mock, which is started where the plan names no target. */
  readonly mockArgs?: readonly string[];
  /** Reads the CPU so far of a target that the caller started on this machine. */
  targetCpuMs?(): number | null;
  /** Process of a target on this machine that nobody here started; without it whoever listens on its port is taken for the target. */
  readonly targetPid?: number;
  onWarning?(message: string): void;
  /** Hands out the means to end the run early, and others once it has begun: what ends it before is a Failure. */
  onControls?(controls: { stop(): void; abort(): void }): void;
}
