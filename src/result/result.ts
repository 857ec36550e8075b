import type { Plan } from '../scenario/plan.js';
import type { Outcomes } from '../stats/outcomes.js';

export type { Outcomes } from '../stats/outcomes.js';

export const resultSchema = 'mcp-bench/result@2';

/** One run, whole: every report and every comparison is made from this and nothing else. */
export interface RunResult {
  schema: typeof resultSchema;
  tool: { name: 'mcp-bench'; version: string };
  name: string;
  /** When the measurement began, which intervals count from; of a run that got no further, when it was started. */
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
  warmup: {
    started: number;
    sent: number;
    outcomes: Outcomes;
    /** All traffic before the measurement, the opening of the sessions included; absent in older results, whose totals hold it too. */
    bytesIn?: number;
    bytesOut?: number;
  };
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

/** What was measured, and how it was spoken to. */
export interface TargetInfo {
  /** Of a server that is reached by its URL; of one that is a command, spoken to over stdio, there is `command` instead. */
  url?: string;
  command?: readonly string[];
  transport: 'sse' | 'streamable' | 'stdio';
  /** Whether MCP was spoken in sessions, which begin with `initialize`, or statelessly; null where the transport has both and nothing was spoken. */
  era: 'sessions' | 'stateless' | null;
  /** As the server said in its handshake; null where none was completed, or it did not say. */
  protocolVersion: string | null;
  /** In what kinds of body calls were answered, where the transport has several; empty where it has one. */
  bodies: readonly ('json' | 'sse')[];
  /** Of HTTP+SSE alone; else ''. */
  dialect: string;
  server: { name: string; version: string } | null;
  /** Where this run started the target itself: which, and what it says it did. */
  builtIn: boolean;
  mockStats?: unknown;
  /** What its processes used; null where it runs elsewhere or the system does not tell, absent in older results. */
  resources?: TargetResources | null;
}

/** CPU and memory of a server on this machine, with all that its processes started. */
export interface TargetResources {
  /** How its processes are known: this run started them, `--target-pid` named them, or they listen on its port. */
  found: 'started' | 'named' | 'port';
  pids: number[];
  /** Of the first of them, as the system has it. */
  name: string;
  /** Over the measured time. */
  cpuMs: number;
  /** Resident memory at its highest. */
  peakBytes: number;
  /** Processes at the most. */
  processes: number;
  /** Over stdio: how many of the processes were servers, one for each session, when the memory was highest. */
  sessions?: number;
  /** Over stdio: CPU before the measured time, most of it for starting. */
  startCpuMs?: number;
  /** None of them was left at the end: the CPU is that of a part of the time, and of whatever calls they answered. */
  ended?: boolean;
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
  /** Connections for messages made anew, in place of one that had idled too long or been closed; absent in older results. */
  reconnected?: number;
  /** Answers that nothing had been sent for: each ended its connection; absent in older results. */
  strayAnswer?: number;
  /** Sessions that the server did not know any more; absent where it keeps none. */
  sessionLost?: number;
}

/** What the replies of Streamable HTTP were like, and what became of the sessions that the server had made ids for. */
export interface Replies {
  /** Replies to calls that were one body of JSON, and those that were streams of events. */
  json: number;
  events: number;
  /** Events without a message, with an id to come back with. */
  priming: number;
  /** How often a reply that had broken off was asked to go on, and how often it was refused. */
  resumed: number;
  resumeRefused: number;
  /** Replies that were announced as events and were JSON: nobody reads a response in them. */
  jsonAsEvents: number;
  /** Streams for the server's own messages that it would not open. */
  listenRefused: number;
  /** Sessions ended by DELETE; those that the server would not end so; and those that ended without one. */
  deleted: number;
  deleteRefused: number;
  left: number;
  /** How often calls went on with input that the server had asked for. */
  inputRounds: number;
}

/** What was odd about servers that are processes, one for each session, and about how they ended. */
export interface Pipes {
  /** Lines on standard output that were no JSON. */
  otherLines: number;
  /** Bytes on standard error. */
  stderrBytes: number;
  /** Processes that had ended before they were asked to. */
  died: number;
  /** Those that went on after the end of their input and had to be told by SIGTERM; those of them that SIGKILL alone could end. */
  survivedEof: number;
  killed: number;
  /** Those that left other processes behind, which were ended, too. */
  leftOthers: number;
}

export interface Totals {
  started: number;
  sent: number;
  callsPerSec: number;
  /** Calls offered per second by an open loop; null in a closed one. */
  offeredPerSec: number | null;
  /** From the start of the measurement on. */
  bytesIn: number;
  bytesOut: number;
  outcomes: Outcomes;
  /** Of those never sent: calls that still waited when the run was cut short, which no threshold counts. Only there where there are some. */
  cutOff?: number;
  oddities: Oddities;
  /** Of Streamable HTTP alone. */
  replies?: Replies;
  /** Of stdio alone. */
  pipes?: Pipes;
  /** `started` = the sum of the outcomes. */
  conserved: boolean;
  /** Absent in older results. */
  availability?: Availability;
}

/** For how long the target answered; see `slotNs` for how fine this is. */
export interface Availability {
  /** A call in flight was answered later on. */
  upMs: number;
  /** Calls were in flight or due, and none of them was answered; or sessions were wanted, and none was ready. */
  downMs: number;
  /** Nobody wanted anything, or the generator did not read. */
  unobservedMs: number;
  /** Up ÷ (up + down); null where nothing was observed. */
  share: number | null;
  /** Ready over wanted session-time; intended churn is not wanted. */
  sessionsReady: number | null;
  /** Stretches that were down, whatever was unobserved within them. */
  outages: number;
  longestDown: { atMs: number; durationMs: number } | null;
  /** Since when it answered no more, where it was down when last observed. */
  downSinceMs: number | null;
  /** It was down when last observed, and an attempt to connect after that failed: why. */
  gone: string | null;
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
  /**
   * The least that each percentile can have been without the generator's own part in it, and the most where that is not the figure itself.
   * Absent where nothing of the generator's is in it, and in older results.
   */
  low?: Percentiles;
  high?: Percentiles;
  /** The percentiles whose two ends lie further apart than 0.2 ms and 10 %. */
  disturbed?: PercentileKey[];
  /** HdrHistogram V2, compressed, base64. */
  hdr: string;
  /** The same of each call at its least and at its most. */
  leastHdr?: string;
  mostHdr?: string;
}

/** The percentiles that a result holds of each metric. */
export const percentileKeys = [
  { key: 'p50', percentile: 50 },
  { key: 'p90', percentile: 90 },
  { key: 'p95', percentile: 95 },
  { key: 'p99', percentile: 99 },
  { key: 'p999', percentile: 99.9 },
] as const;
export type PercentileKey = (typeof percentileKeys)[number]['key'];
export type Percentiles = Record<PercentileKey, number>;

/** How long the generator took to write its bursts out. */
export interface BurstSpread {
  bursts: number;
  /** From the due moment to the last write, in the mean and at the most; of several workers the slowest. */
  meanMs: number;
  longestMs: number;
  /** The longest time of writing between two reads: so much later may what came meanwhile have been read. */
  longestSliceMs: number;
}

export interface PhaseResult {
  name: string;
  startMs: number;
  durationMs: number;
  totals: Pick<Totals, 'started' | 'sent' | 'callsPerSec' | 'offeredPerSec' | 'outcomes' | 'cutOff'>;
  metrics: Record<string, Metric>;
  operations: OperationResult[];
  /** Only of a phase of bursts; absent in older results. */
  bursts?: BurstSpread;
  /** How the generator fared in it; absent in older results. */
  generator?: PhaseGenerator;
}

/** How the generator and its machine fared in one phase; null where unknown. */
export interface PhaseGenerator {
  /** Useful work over elapsed time, per worker; spinning for the pacer is not work. */
  loopUtilisation: number[];
  longestTurnMs: number;
  /** Share of the time in which it was kept from running: stopped, or without a core. Calls know what of it was theirs. Absent in older results. */
  heldUpShare?: number;
  /** Share of the time in which calls may have been read late without knowing it: what a hypervisor took; in older results all that kept it from running. */
  pausedShare: number;
  stolenCpuShare: number | null;
  /** How long a worker waited for a core when something woke it, on average: only in older results, whose calls do not know. */
  wakeDelayMs?: number;
  /** CPU of our workers, spinning included, as a share of all cores; null where unknown. */
  ownCpuShare: number | null;
  othersCpuShare: number | null;
  targetCpuShare: number | null;
}

export interface OperationResult {
  name: string;
  method: string;
  started: number;
  callsPerSec: number;
  outcomes: Outcomes;
  cutOff?: number;
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
    /** Time in which the target was up, and down; absent in older results. */
    upMs?: number;
    downMs?: number;
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
  /** Only for `call.response`, at 2 significant digits; and at its least, where that differs. */
  hdr?: string;
  leastHdr?: string;
}

export interface GeneratorHealth {
  cpuMsPerWorker: number[];
  /** Useful work over elapsed time, per worker; spinning for the pacer is not work. */
  loopUtilisation: number[];
  loopDelayP99Ms: number[];
  /** Over the run, as for each phase: absent in older results; `wakeDelayMs` only in some of them. */
  pausedShare?: number;
  wakeDelayMs?: number;
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
  /** The two ends between which the true value lies, where they differ; null where it falls among failed calls. */
  low?: number | null;
  high?: number | null;
  limit: number;
  /** `undecided`: the limit lies between the two ends, or the load was not the one that was asked for. Neither a pass nor the server's fault. */
  state: 'pass' | 'fail' | 'undecided';
  abortOnFail: boolean;
  /** In words: by how much, or why there is no value. */
  detail: string;
}
