import { nowNs } from '../clock.js';
import { ExitCode, Failure } from '../failure.js';
import type { ShardFinal, ShardTotals } from '../load/shard-report.js';
import type { RunResult } from '../result/result.js';
import { redact } from '../text/secrets.js';
import type { ResolvedPlan, TransportName } from '../scenario/plan.js';
import { plainTlsError } from '../transport/http/plain-tls-error.js';
import { transportKinds } from '../transport/transport-kinds.js';
import { AbortRules, type MachineSoFar } from './abort-rules.js';
import { Collector } from './collector.js';
import type { WorkerAssignment } from './messages.js';
import type { Pulse, RunWatcher } from './execute-options.js';
import { type Opening, startThread, WorkerPool, type WorkerPoolListener } from './worker-pool.js';

/** What a run came to, before it is put together. */
export interface RunOutcome {
  readonly collector: Collector;
  readonly ended: RunResult['ended'];
  /** When the measurement began, by the wall's clock; null where it never did. */
  readonly measuringAt: Date | null;
  /** Why it did not end by itself. */
  readonly failure: Failure | null;
}

/**
 * Asked before all sessions are opened, and told when the measurement begins, of each second of it, and when nothing is due any more; says what
 * the machine did meanwhile.
 */
export interface MeasurementListener extends MachineSoFar {
  /** The first session is open: throws a Failure where there is no room for all. */
  onFirstOpen(): void;
  onMeasuring(): void;
  onSecond(): void;
  onMeasured(): void;
}

// Long enough for a message to reach every thread, so that all start together.
const startDelayNs = 20e6;
// Long enough for a worker to say what it has.
const abortGraceMs = 2000;

/** Leads the workers through one run: a first session alone, then all, then a common start, then the end. */
export class Controller {
  private readonly collector: Collector;
  private readonly pool: WorkerPool;
  private readonly pulses: Pulse[];
  private readonly processes: (readonly number[])[];
  private readonly finals: (ShardFinal | null)[];
  /** What each worker had counted at its last interval. */
  private readonly soFar: (ShardTotals | null)[];
  private ended: RunResult['ended'] = 'complete';
  private failure: Failure | null = null;
  private stopping = false;
  /** When the warm-up will be over, and the same once it is. */
  private measuringDueAt: Date | null = null;
  private measuringAt: Date | null = null;
  /** All phases are over: what still drains ends by itself, and its seconds belong to no rule. */
  private measured = false;
  private finish: () => void = () => {};
  private readonly finished = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(
    private readonly plan: ResolvedPlan,
    assignments: readonly WorkerAssignment[],
    private readonly watcher: RunWatcher,
    private readonly measurement: MeasurementListener,
    start = startThread,
  ) {
    this.collector = new Collector(
      assignments.length,
      plan.phases.length,
      plan.operations.map(({ name }) => name),
    );
    this.pulses = assignments.map(() => ({ sessionsReady: 0, inFlight: 0, okTotal: 0 }));
    this.processes = assignments.map(() => []);
    this.finals = assignments.map(() => null);
    this.soFar = assignments.map(() => null);
    const abortRules = new AbortRules(plan, measurement);
    const listener: WorkerPoolListener = {
      onInterval: (worker, interval, soFar) => {
        this.soFar[worker] = soFar;
        const whole = this.collector.add(interval);
        if (whole === null) return;
        measurement.onSecond();
        const unwanted = this.watcher.onInterval?.(whole);
        if (this.measured) return;
        const totals = this.soFar.filter((each) => each !== null);
        if (unwanted || abortRules.failed(this.collector, totals) !== null) this.stop('aborted');
      },
      onPulse: (worker, pulse) => this.onPulse(worker, pulse),
      onProcesses: (worker, pids) => (this.processes[worker] = pids),
      onMeasuring: () => {
        this.measuringAt = this.measuringDueAt;
        measurement.onMeasuring();
      },
      onMeasured: () => {
        this.measured = true;
        measurement.onMeasured();
      },
      onFinal: (worker, final) => this.onFinal(worker, final),
      onCrash: (_worker, error) => this.onCrash(error as Failure),
    };
    this.pool = new WorkerPool(assignments, listener, start);
  }

  /** The target's processes that the workers have started, as far as they have said so. */
  get targetProcesses(): readonly number[] {
    return this.processes.flat();
  }

  async run(): Promise<RunOutcome> {
    try {
      this.watcher.onState?.('opening');
      const first = await this.orStopped(this.pool.openFirst());
      if (first !== null && first.ready === 0) throw notAnMcpServer(this.plan, first);
      this.measurement.onFirstOpen();
      const all = first && (await this.orStopped(this.pool.openAll(nowNs())));
      if (all !== null) {
        if (all.ready === 0) throw notAnMcpServer(this.plan, all);
        this.watcher.onPulse?.({ sessionsReady: all.ready, inFlight: 0, okTotal: 0 });
        // Whoever watches may have had enough.
        if (!this.stopping) this.start();
      }
      await this.finished;
    } finally {
      await this.pool.terminate();
    }
    for (const [worker, final] of this.finals.entries()) {
      const soFar = this.soFar[worker];
      if (final !== null) this.collector.finals.push(final);
      else if (soFar !== null) this.collector.lost.push(soFar);
    }
    this.collector.closeAll();
    const { collector, ended, measuringAt, failure } = this;
    return { collector, ended, measuringAt, failure };
  }

  private start(): void {
    this.watcher.onState?.('running');
    const startNs = nowNs() + startDelayNs;
    this.pool.broadcast({ type: 'start', startNs });
    this.measuringDueAt = wallTime(startNs + this.plan.warmupNs);
  }

  /** Makes no more calls and waits for those in flight. */
  stop(why: 'interrupted' | 'aborted'): void {
    if (this.stopping) return;
    this.stopping = true;
    this.ended = why;
    this.watcher.onState?.('draining');
    this.pool.broadcast({ type: 'stop' });
  }

  /** Waits for nothing any more. */
  abort(): void {
    this.ended = 'interrupted';
    this.stopping = true;
    this.pool.broadcast({ type: 'abort' });
    // A worker that hangs will never say what it has: what it had counted is known, and it is ended with the others.
    setTimeout(() => this.finish(), abortGraceMs).unref();
  }

  // Whoever is stopped while opening never says that it is open.
  private orStopped(opening: Promise<Opening>): Promise<Opening | null> {
    return Promise.race([opening, this.finished.then(() => null)]);
  }

  private onPulse(worker: number, pulse: Pulse): void {
    this.pulses[worker] = pulse;
    const sum = { sessionsReady: 0, inFlight: 0, okTotal: 0 };
    for (const { sessionsReady, inFlight, okTotal } of this.pulses) {
      sum.sessionsReady += sessionsReady;
      sum.inFlight += inFlight;
      sum.okTotal += okTotal;
    }
    this.watcher.onPulse?.(sum);
  }

  private onFinal(worker: number, final: ShardFinal): void {
    this.finals[worker] = final;
    if (this.finals.every((each) => each !== null)) this.finish();
  }

  private onCrash(failure: Failure): void {
    if (this.failure !== null) return;
    this.failure = failure;
    this.ended = 'failed';
    // The others say what they have; whoever crashed cannot.
    this.pool.broadcast({ type: 'abort' });
    setTimeout(() => this.finish(), 1000);
  }
}

/** What the wall's clock shows at a moment of the monotonic one. */
function wallTime(atNs: number): Date {
  return new Date(Date.now() + (atNs - nowNs()) / 1e6);
}

function notAnMcpServer({ target }: ResolvedPlan, opening: Opening): Failure {
  const [kind] = Object.keys(opening.failures);
  return new Failure(
    redact(
      `no session${target.url === '' ? '' : ` with ${target.url}`}: ${kind === undefined ? endedAgain(opening) : whyFailed(target.transport, kind, opening)}`,
    ),
    ExitCode.runFailed,
  );
}

function endedAgain({ examples }: Opening): string {
  const message = examples['session dropped'];
  return `every one ended again before the start${message === undefined ? '' : `: ${plainTlsError(message)}`}`;
}

function whyFailed(transport: TransportName, kind: string, { examples }: Opening): string {
  const message = plainTlsError(examples[`session ${kind}`] ?? 'no session became ready');
  const written = examples['standard output'];
  const instead = kind !== 'timeout' || written === undefined ? '' : `, but wrote “${written}” there`;
  return `${message}${transportKinds[transport].advise(kind, message)}${instead}`;
}
