/**
 * What a run does, with every default filled in and every unit resolved: made once from the scenario, frozen, printable,
 * and plain enough to be cloned into a worker.
 */
export interface Plan {
  readonly name: string;
  readonly seed: number;
  /** SHA-256 over everything that decides what load is offered; the target's address and the tags are not part of it. */
  readonly scenarioHash: string;
  readonly target: TargetPlan;
  readonly sessions: SessionsPlan;
  readonly posts: PostsPlan;
  readonly warmupNs: number;
  readonly phases: readonly PhasePlan[];
  readonly operations: readonly OperationPlan[];
  /** Rows of the data files that templates read from, by the name the scenario gives them. */
  readonly data: Readonly<Record<string, readonly DataRow[]>>;
  readonly timeouts: TimeoutsPlan;
  readonly openLoop: OpenLoopPlan;
  readonly pacing: 'auto' | 'spin' | 'timer';
  readonly thresholds: readonly ThresholdPlan[];
  readonly workers: number;
  readonly tags: Readonly<Record<string, string>>;
}

export type DialectName = 'classic' | 'rmcp' | 'serena' | 'workspace' | 'pymcp';
export type DialectChoice = 'auto' | DialectName;

export type TransportName = 'sse' | 'streamable' | 'stdio';
export type TransportChoice = 'auto' | TransportName;

export interface TargetPlan {
  /** Empty where the run starts the built-in mock, or the target is a command alone. May hold `{session}`, replaced by the session's ordinal. */
  readonly url: string;
  /** How the target is started: spoken to over stdio where there is no URL, and a server at the URL where there is one. */
  readonly command?: CommandPlan;
  /** `auto` until the run has found out; workers are always given a transport by name. */
  readonly transport: TransportChoice;
  /** A revision of MCP such as `2025-11-25`, or `auto` until the run has found out. */
  readonly protocol: string;
  /** Over Streamable HTTP with sessions: each session holds a GET stream open, too. */
  readonly listen: boolean;
  readonly dialect: DialectChoice;
  /** Extra request headers, on the stream and on every POST. */
  readonly headers: Readonly<Record<string, string>>;
  /** Connect to this Unix socket instead of the URL's host and port. */
  readonly unixSocket: string | null;
  /** PEM texts, read by the loader. */
  readonly tls: {
    readonly ca: string | null;
    readonly cert: string | null;
    readonly key: string | null;
    readonly verify: boolean;
  };
  /** Accept an endpoint whose origin is not the stream's. */
  readonly allowForeignEndpoint: boolean;
}

/** A program and its arguments, as they stand: no shell reads them. */
export interface CommandPlan {
  readonly command: readonly string[];
  /** On top of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** An argument of a tool that a server wants repeated in a header, as its schema says. */
export interface MirroredArgument {
  /** What comes after `Mcp-Param-`. */
  readonly header: string;
  /** Where it lies among the arguments. */
  readonly path: readonly string[];
}

/** A plan whose target's transport and revision of MCP are known, as workers need it. */
export interface ResolvedPlan extends Plan {
  /** By operation: what the target was found to want repeated in headers. */
  readonly mirrored?: readonly (readonly MirroredArgument[])[];
  readonly target: TargetPlan & { readonly transport: TransportName };
}

export interface SessionsPlan {
  readonly count: number;
  /** Sessions opened per second over all workers; null: all at once (connects are still paced below the listen queue). */
  readonly openPerSec: number | null;
  /** A session ends after so many calls, or so long, and a new one takes its place: churn. */
  readonly lifetimeCalls: number | null;
  readonly lifetimeNs: number | null;
  /** How a session's life ends: `close` ends the stream once its calls are answered, `abandon` lets the socket just go away. */
  readonly end: 'close' | 'abandon';
  /** Replace a session whose stream dropped. */
  readonly reconnect: boolean;
  /** How many of the `count` sessions stay open without ever being given a call (idle fleet); always fewer than all. */
  readonly idle: number;
}

export type PostsPlan =
  | { readonly mode: 'serial' }
  | { readonly mode: 'pipelined'; readonly connections: number }
  | { readonly mode: 'shared'; readonly connections: number };

export interface PhasePlan {
  readonly name: string;
  /** null only for `count`, which ends by itself. */
  readonly durationNs: number | null;
  readonly load: LoadPlan;
}

export type LoadPlan =
  | { readonly model: 'closed'; readonly inFlight: number; readonly thinkNs: number }
  | { readonly model: 'rate'; readonly perSecond: number; readonly arrivals: Arrivals }
  | {
      readonly model: 'ramp';
      readonly fromPerSecond: number;
      readonly toPerSecond: number;
      readonly arrivals: Arrivals;
    }
  | { readonly model: 'steps'; readonly steps: readonly StepPlan[]; readonly arrivals: Arrivals }
  /** Every session sends `calls` calls at once, every `everyNs`. */
  | { readonly model: 'burst'; readonly calls: number; readonly everyNs: number }
  /** `calls` calls over all sessions, `inFlight` per session, then the phase is over. */
  | { readonly model: 'count'; readonly calls: number; readonly inFlight: number };

export type Arrivals = 'uniform' | 'poisson';

export interface StepPlan {
  readonly perSecond: number;
  readonly durationNs: number;
}

/** One kind of request in the mix. */
export interface OperationPlan {
  /** What reports call it: the tool's name, or the method where it is no tool call. Unique. */
  readonly name: string;
  readonly method: string;
  /** The tool's name for `tools/call`, else null. */
  readonly tool: string | null;
  readonly weight: number;
  /** The tool's arguments, or the method's params: JSON with templates in its strings. */
  readonly arguments: JsonValue;
  readonly expect: readonly ExpectPlan[];
  readonly timeoutNs: number;
  /** Send `notifications/cancelled` when the call has not been answered for so long. */
  readonly cancelAfterNs: number | null;
  /** What the client answers where the server asks for input, by the name of what it asks for; absent where nothing. */
  readonly inputResponses?: Readonly<Record<string, JsonValue>>;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type ExpectPlan =
  /** The text (pymcp: the bare result) is the `message` argument, verbatim. */
  | { readonly kind: 'echo' }
  /** `result.isError` is as said; without it an error result is a `toolError`. */
  | { readonly kind: 'isError'; readonly value: boolean }
  /** The value at a path such as `content[0].text` of the result equals this (templates: environment and data columns). */
  | { readonly kind: 'equals'; readonly path: string; readonly value: JsonValue }
  /** The size of the response event's data in bytes lies within. */
  | { readonly kind: 'size'; readonly minBytes: number; readonly maxBytes: number };

export interface TimeoutsPlan {
  readonly connectNs: number;
  readonly handshakeNs: number;
  readonly callNs: number;
  /** How long a stream may be silent, comments and all; null: for ever. */
  readonly idleNs: number | null;
}

export interface OpenLoopPlan {
  /** Calls in flight per session at the most. */
  readonly inFlight: number;
  /** Calls waiting over all sessions at the most; a call over it is `notSent`. null: ten seconds of the offered rate. */
  readonly queue: number | null;
}

export interface ThresholdPlan {
  readonly metric: string;
  readonly rule: string;
  readonly abortOnFail: boolean;
}

export type DataRow = Readonly<Record<string, JsonValue>>;

/** One worker's part of a plan: the sessions with ordinal ≡ index (mod of). */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
