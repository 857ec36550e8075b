import type { ShardFinal, ShardInterval, ShardTotals } from '../load/shard-report.js';
import type { ResolvedPlan, Shard } from '../scenario/plan.js';

/** What a worker thread is started with. */
export interface WorkerAssignment {
  readonly plan: ResolvedPlan;
  readonly shard: Shard;
  readonly ip: string;
  readonly spin: boolean;
  readonly clientVersion: string;
}

/** What the controller tells a worker. Moments are of the machine's monotonic clock, which all threads share. */
export type ToWorker =
  | { readonly type: 'openFirst' }
  | { readonly type: 'openAll'; readonly startNs: number }
  | { readonly type: 'start'; readonly startNs: number }
  | { readonly type: 'stop' }
  | { readonly type: 'abort' };

/** What a worker tells the controller. */
export type FromWorker =
  | {
      readonly type: 'opened';
      readonly ready: number;
      readonly examples: Readonly<Record<string, string>>;
      readonly failures: Readonly<Record<string, number>>;
    }
  | {
      readonly type: 'pulse';
      readonly sessionsReady: number;
      readonly inFlight: number;
      readonly okTotal: number;
    }
  /** The target's processes that this worker has started have become others. */
  | { readonly type: 'processes'; readonly pids: readonly number[] }
  | { readonly type: 'measuring' }
  | { readonly type: 'measured' }
  | { readonly type: 'interval'; readonly interval: ShardInterval; readonly soFar: ShardTotals }
  | { readonly type: 'done'; readonly final: ShardFinal };
