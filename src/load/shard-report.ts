import type { RecorderSnapshot, Tally } from '../stats/recorder.js';
import type { BurstWriting } from './burst-loop.js';
import type { SlotChanges } from '../stats/slot-recorder.js';
import type { OddityCounts } from '../mcp/oddities.js';
import type { SessionCounts } from './session-pool.js';
import type { ServerIdentity } from '../mcp/server-info.js';
import type { DialectName } from '../scenario/plan.js';
import type { InternalErrors, PipeCounts, ReplyCounts } from '../transport/traffic.js';

/** What one worker recorded in one interval of about a second. */
export interface ShardInterval {
  readonly index: number;
  /** Since the start of the measurement. */
  readonly startNs: number;
  readonly durationNs: number;
  readonly recorded: RecorderSnapshot;
  /** What has become known of the slots of availability, those of earlier intervals included. */
  readonly slots: SlotChanges;
  /** Up to this moment since the start of the measurement nothing more will become known. */
  readonly settledNs: number;
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
  /** How long its bursts took to write out; null where it has none. */
  readonly bursts: Readonly<BurstWriting> | null;
  readonly health: Readonly<PhaseHealth>;
}

/** How one worker fared in a phase. */
export interface PhaseHealth {
  busyNs: number;
  elapsedNs: number;
  /** null where the system does not tell. */
  cpuNs: number | null;
  longestTurnNs: number;
  /** Time in which it was kept from looking for bytes outside of its turns: stopped, or without a core. Calls know of it. */
  heldUpNs: number;
}

export interface ShardHealth {
  readonly busyNs: number;
  readonly elapsedNs: number;
  readonly longestTurnNs: number;
  readonly longestGcNs: number;
  readonly gcNs: number;
  readonly cpuNs: number | null;
  readonly loopDelayP99Ns: number;
  readonly spinning: boolean;
}

/** All that one worker has counted up to some moment, since it began. */
export interface ShardTotals {
  readonly tallies: readonly Tally[];
  /** The last may still be under way: it then ends at that moment. */
  readonly phases: readonly ShardPhase[];
  readonly sessions: SessionCounts;
  readonly oddities: OddityCounts;
  readonly connectRetries: number;
  readonly extraConnections: number;
  readonly reconnected: number;
  readonly strayAnswers: number;
  readonly replies: Readonly<ReplyCounts>;
  readonly pipes: Readonly<PipeCounts>;
  /** Replies to calls by their kind. */
  readonly bodies: { readonly json: number; readonly events: number };
  /** How often calls went on with what the server had asked for. */
  readonly inputRounds: number;
  readonly limitsHit: Readonly<Record<string, number>>;
  readonly internalErrors: Readonly<InternalErrors>;
  /** Since the start of the measurement. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Until then: opening, handshakes, warm-up. */
  readonly bytesInBefore: number;
  readonly bytesOutBefore: number;
  /** Responses that came in one read with at least three others of their session, though their calls were sent apart. */
  readonly coalescing: { readonly coalesced: number; readonly all: number };
  readonly examples: Readonly<Record<string, string>>;
  readonly server: ServerIdentity | null;
  readonly dialect: DialectName | null;
}

/** What one worker has to say when all is over. */
export interface ShardFinal extends ShardTotals {
  readonly health: ShardHealth;
}
