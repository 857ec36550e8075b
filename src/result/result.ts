import type { Plan } from '../scenario/plan.js';
import type { Outcomes } from '../stats/outcomes.js';

export type { Outcomes } from '../stats/outcomes.js';

export const resultSchema = 'mcp-bench/result@1';

/** One run, whole: every report and every comparison is made from this and nothing else. */
export interface RunResult {
  schema: typeof resultSchema;
  tool: { name: 'mcp-bench'; version: string };
  name: string;
  startedAt: string;
  /** Length of the measured phases. */
  durationMs: number;
  seed: number;
  /** As run, after overrides. Secrets in headers are replaced by `***`. */
  scenario: Plan;
  scenarioHash: string;
  target: TargetInfo;
  environment: Environment;
  validity: Validity;
  findings: Note[];
  /** `complete`, or how the run was cut short. */
  ended: 'complete' | 'interrupted' | 'aborted' | 'failed';
  sessions: SessionTotals;
  totals: Totals;
  /** What was sent while warming up: counted, never measured. */
  warmup: { started: number; sent: number; outcomes: Outcomes };
  /** Keys: `call.response`, `call.response{tool:echo}`, `failed.response`, `handshake.total`, …  */
  metrics: Record<string, Metric>;
  phases: PhaseResult[];
  /** One per operation of the mix, over all measured phases; its times are under `metrics` as `…{tool:name}`. */
  operations: OperationResult[];
  intervals: Interval[];
  generator: GeneratorHealth;
  /** One example per kind of error. */
  examples: Record<string, string>;
  thresholds: ThresholdResult[];
}

export interface TargetInfo {
  url: string;
  transport: 'sse';
  dialect: string;
  server: { name: string; version: string } | null;
  protocolVersion: string | null;
  /** Where this run started the target itself: which, and what it says it did. */
  builtIn: boolean;
  mockStats?: unknown;
}

export interface Environment {
  node: string;
  cpu: string;
  cores: number;
  memoryBytes: number;
  os: string;
  git: string | null;
  hostname: string;
  workers: number;
  pacing: 'spin' | 'timer';
  tags: Record<string, string>;
}

export interface Note {
  /** Stable, for machines: `generator-busy`, `rate-not-achieved`, … */
  code: string;
  message: string;
}

export interface Validity {
  state: 'valid' | 'suspect';
  reasons: Note[];
  /** Worth knowing, but no reason to doubt: `generator near its limit`. */
  warnings: Note[];
}

export interface SessionTotals {
  opened: number;
  ready: number;
  failed: number;
  dropped: number;
  reconnects: number;
  closed: number;
  abandoned: number;
  connectRetries: number;
  /** Why sessions failed to become ready, by kind. */
  failures: Record<string, number>;
  peakReady: number;
}

export interface Oddities {
  duplicate: number;
  late: number;
  foreign: number;
  coercedId: number;
  malformedEvent: number;
  truncatedEvent: number;
  nullIdError: number;
  serverRequest: Record<string, number>;
  notification: Record<string, number>;
  reconnect: number;
  extraConnection: number;
}

export interface Totals {
  started: number;
  sent: number;
  callsPerSec: number;
  /** Calls offered per second by an open loop; null in a closed one. */
  offeredPerSec: number | null;
  bytesIn: number;
  bytesOut: number;
  outcomes: Outcomes;
  oddities: Oddities;
  /** `started` = the sum of the outcomes. */
  conserved: boolean;
}

/** Latency figures are in nanoseconds. */
export interface Metric {
  unit: 'ns';
  count: number;
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  p999: number;
  max: number;
  /** HdrHistogram V2, compressed, base64. */
  hdr: string;
}

export interface PhaseResult {
  name: string;
  startMs: number;
  durationMs: number;
  totals: Pick<Totals, 'started' | 'sent' | 'callsPerSec' | 'offeredPerSec' | 'outcomes'>;
  metrics: Record<string, Metric>;
  operations: OperationResult[];
}

export interface OperationResult {
  name: string;
  method: string;
  started: number;
  callsPerSec: number;
  outcomes: Outcomes;
}

export interface Interval {
  /** Start of this second since the start of the measurement. */
  atMs: number;
  durationMs: number;
  /** Ended within this interval, by outcome group. */
  totals: {
    started: number;
    ok: number;
    failed: number;
    notSent: number;
    /** Of `ok` and `failed`: those that the server answered, and those that the scenario cancelled; absent in older results. */
    answered?: number;
    cancelled?: number;
    sessionsReady: number;
    inFlight: number;
    bytesIn: number;
    bytesOut: number;
  };
  metrics: Record<string, IntervalMetric>;
}

export interface IntervalMetric {
  count: number;
  p50: number;
  p99: number;
  max: number;
  /** Only for `call.response`, at 2 significant digits. */
  hdr?: string;
}

export interface GeneratorHealth {
  cpuMsPerWorker: number[];
  /** Useful work over elapsed time, per worker; spinning for the pacer is not work. */
  loopUtilisation: number[];
  loopDelayP99Ms: number[];
  longestTurnMs: number[];
  longestGcMs: number[];
  gcMs: number[];
  maxRssBytes: number;
  /** CPU of the whole machine taken by neither us nor the target we started, as a share of all cores; null where unknown. */
  othersCpuShare: number | null;
  /** CPU share of one core of the target, where this run started it. */
  targetCpuShare: number | null;
  /** Time in which a core was wanted and a hypervisor ran somebody else on it, as a share of all cores; null where unknown, absent in older results. */
  stolenCpuShare?: number | null;
}

export interface ThresholdResult {
  metric: string;
  rule: string;
  value: number | null;
  limit: number;
  pass: boolean;
  abortOnFail: boolean;
  /** In words: by how much, or why there is no value. */
  detail: string;
}
