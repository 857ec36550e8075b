import type { ClientTransport, StdioEra } from '../fleet/fleet.mjs';
import type { MachineInfo } from '../bench/bench-report.js';

/** What clients are compared over. */
export type HttpTransport = Exclude<ClientTransport, StdioEra>;

/** One client over one transport, as it was measured. */
export interface PeerFigures {
  readonly peer: string;
  readonly about: string;
  readonly transport: HttpTransport;
  /** It can be told how many calls are due in a second. */
  readonly paces: boolean;
  /** It only posts and reads no answer to a call. */
  readonly postsOnly: boolean;
  /** When and from which commit. */
  readonly date: string;
  readonly git: string | null;
  /** Flat out, by round. */
  readonly flatOut: readonly FlatOut[];
  readonly latency: KnownLatency | null;
  readonly stall: KnownStall | null;
  /** Why something is missing. */
  readonly reason: string | null;
}

export interface FlatOut {
  readonly callsPerSec: number;
  /** Of its process and all that it started, per call. */
  readonly cpuUs: number;
  readonly residentBytes: number;
}

/** What it reported of calls that the mock answered after a known time. */
export interface KnownLatency {
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** By the mock's own log. */
  readonly trueP50Ms: number;
  readonly trueP99Ms: number;
}

/** What it reported of calls among which the mock stood still for a second. */
export interface KnownStall {
  readonly calls: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  readonly notStarted: number | null;
}

/** The whole benchmark: one entry for each client and transport, the newest that there is. */
export interface PeersRecord {
  readonly schema: 'mcp-bench/peers@1';
  readonly machine: MachineInfo;
  readonly figures: readonly PeerFigures[];
  /** Clients that were left out, with the reason. */
  readonly skipped: Readonly<Record<string, string>>;
}
