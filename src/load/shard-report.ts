import type { RecorderSnapshot, Tally } from '../stats/recorder.js';
import type { OddityCounts } from './oddities.js';
import type { SessionCounts } from './session-pool.js';
import type { ServerIdentity } from './session.js';
import type { DialectName } from '../mcp/dialect.js';

/** What one worker recorded in one interval of about a second. */
export interface ShardInterval {
  readonly index: number;
  /** Since the start of the measurement. */
  readonly startNs: number;
  readonly durationNs: number;
  readonly recorded: RecorderSnapshot;
  /** Within the interval, measured phases only. */
  readonly started: number;
  readonly ok: number;
  readonly failed: number;
  readonly notSent: number;
  readonly answered: number;
  readonly cancelled: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** At its end. */
  readonly sessionsReady: number;
  readonly inFlight: number;
}

/** Times of a phase as one worker saw them, since the start of the measurement. */
export interface ShardPhase {
  readonly startNs: number;
  readonly endNs: number;
  /** Calls that ended ok between the two, whenever they started, by operation. */
  readonly okWithin: readonly number[];
}

export interface ShardHealth {
  readonly busyNs: number;
  readonly elapsedNs: number;
  readonly longestTurnNs: number;
  readonly longestGcNs: number;
  readonly gcNs: number;
  readonly cpuNs: number | null;
  /** Time that this thread was ready to run and had no core. */
  readonly waitedForCpuNs: number | null;
  readonly loopDelayP99Ns: number;
  readonly spinning: boolean;
}

/** What one worker has to say when all is over. */
export interface ShardFinal {
  readonly tallies: readonly Tally[];
  readonly phases: readonly ShardPhase[];
  readonly sessions: SessionCounts;
  readonly oddities: OddityCounts;
  readonly connectRetries: number;
  readonly extraConnections: number;
  readonly limitsHit: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Responses that came in one read with at least three others of their session, though their calls were sent apart. */
  readonly clumped: { readonly clumped: number; readonly all: number };
  readonly examples: Readonly<Record<string, string>>;
  readonly health: ShardHealth;
  readonly server: ServerIdentity | null;
  readonly dialect: DialectName | null;
}
