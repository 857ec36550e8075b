import { Worker } from 'node:worker_threads';
import { ExitCode, Failure } from '../failure.js';
import type { ShardFinal, ShardInterval, ShardTotals } from '../load/shard-report.js';
import type { FromWorker, ToWorker, WorkerAssignment } from './messages.js';
import type { Pulse } from './execute-options.js';

export interface WorkerPoolListener {
  onInterval(worker: number, interval: ShardInterval, soFar: ShardTotals): void;
  onPulse(worker: number, pulse: Pulse): void;
  /** The processes of the target that it has started and that have not ended. */
  onProcesses(worker: number, pids: readonly number[]): void;
  /** The first worker begins to measure. */
  onMeasuring(): void;
  /** The last worker has nothing due any more. */
  onMeasured(): void;
  onFinal(worker: number, final: ShardFinal): void;
  /** A worker died: the run cannot go on. */
  onCrash(worker: number, error: Error): void;
}

/** What came of opening sessions. */
export interface Opening {
  ready: number;
  failures: Record<string, number>;
  examples: Record<string, string>;
}

/** A thread as the pool knows it. */
export interface WorkerThread {
  on(event: 'message', listener: (message: FromWorker) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: ToWorker): void;
  terminate(): Promise<unknown>;
}

/** Starts `worker.ts` in a thread of its own. */
export function startThread(assignment: WorkerAssignment): WorkerThread {
  return new Worker(new URL('./worker.js', import.meta.url), { workerData: assignment });
}

/** The worker threads of a run, spoken to together. */
export class WorkerPool {
  private readonly workers: WorkerThread[];
  private readonly waiting = new Map<number, (opening: Opening) => void>();
  private ending = false;
  private measuring = 0;
  private measured = 0;
  private crashed: ((error: Error) => void) | null = null;

  constructor(
    assignments: readonly WorkerAssignment[],
    private readonly listener: WorkerPoolListener,
    start: (assignment: WorkerAssignment) => WorkerThread,
  ) {
    this.workers = assignments.map((assignment, index) => {
      const worker = start(assignment);
      worker.on('message', (message) => this.onMessage(index, message));
      worker.on('error', (error) => this.onError(index, error));
      worker.on('exit', (code) => {
        if (code !== 0 && !this.ending) this.onError(index, new Error(`ended with code ${code}`));
      });
      return worker;
    });
  }

  /** Has the first worker open one session, and says what came of it. */
  openFirst(): Promise<Opening> {
    return this.opened([0], () => this.tell(0, { type: 'openFirst' }));
  }

  /** Has all workers open their sessions, and says what came of it, over all. */
  openAll(startNs: number): Promise<Opening> {
    return this.opened([...this.workers.keys()], (index) => this.tell(index, { type: 'openAll', startNs }));
  }

  broadcast(message: ToWorker): void {
    for (const index of this.workers.keys()) this.tell(index, message);
  }

  async terminate(): Promise<void> {
    this.ending = true;
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private tell(index: number, message: ToWorker): void {
    this.workers[index].postMessage(message);
  }

  private async opened(indices: readonly number[], ask: (index: number) => void): Promise<Opening> {
    const answers = indices.map(
      (index) =>
        new Promise<Opening>((resolve, reject) => {
          this.waiting.set(index, resolve);
          this.crashed = reject;
          ask(index);
        }),
    );
    const sum: Opening = { ready: 0, failures: {}, examples: {} };
    for (const { ready, failures, examples } of await Promise.all(answers)) {
      sum.ready += ready;
      for (const [kind, count] of Object.entries(failures))
        sum.failures[kind] = (sum.failures[kind] ?? 0) + count;
      Object.assign(sum.examples, examples);
    }
    this.crashed = null;
    return sum;
  }

  private onMessage(index: number, message: FromWorker): void {
    switch (message.type) {
      case 'opened': {
        const { ready, failures, examples } = message;
        this.waiting.get(index)?.({ ready, failures: { ...failures }, examples: { ...examples } });
        this.waiting.delete(index);
        return;
      }
      case 'pulse':
        return this.listener.onPulse(index, message);
      case 'processes':
        return this.listener.onProcesses(index, message.pids);
      case 'interval':
        return this.listener.onInterval(index, message.interval, message.soFar);
      case 'measuring':
        if (this.measuring++ === 0) this.listener.onMeasuring();
        return;
      case 'measured':
        if (++this.measured === this.workers.length) this.listener.onMeasured();
        return;
      case 'done':
        return this.listener.onFinal(index, message.final);
    }
  }

  private onError(index: number, error: Error): void {
    const failure = new Failure(`worker ${index} crashed: ${error.message}`, ExitCode.runFailed);
    failure.cause = error;
    this.crashed?.(failure);
    this.listener.onCrash(index, failure);
  }
}
