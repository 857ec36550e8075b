import type { Era } from '../mcp/era.js';
import type { TransportName } from '../scenario/plan.js';
import type { Departure } from './departure.js';
import type { DialectMatch } from './dialect-match.js';
import type { ToolList } from './list-tools.js';
import type { HandshakeTimes } from './probe-session.js';
import type { TimedCalls } from './time-calls.js';

export type { Departure } from './departure.js';
export type { ProbedTool } from './probed-tool.js';
export type { CallSample } from './time-calls.js';

/** What a server is like, found out by talking to it: all that `probe` prints. */
export interface ProbeReport {
  readonly schema: 'mcp-bench/probe@1';
  /** '' of a command. */
  readonly url: string;
  /** The server's, where it was started and spoken to over stdio. */
  readonly command?: readonly string[];
  readonly at: string;
  readonly transport: TransportName;
  readonly era: Era;
  /** null for another transport than HTTP+SSE. */
  readonly dialect: DialectMatch | null;
  readonly server: { readonly name: string; readonly version: string } | null;
  readonly protocolVersion: { readonly asked: string; readonly answered: string | null };
  readonly capabilities: unknown;
  readonly instructions: string | null;
  readonly tools: ToolList;
  readonly handshake: HandshakeTimes | null;
  readonly calls: TimedCalls;
  readonly stream: StreamLooks | null;
  readonly posts: PostLooks | null;
  /** Of Streamable HTTP alone. */
  readonly replies: ReplyLooks | null;
  readonly keepAlive: KeepAlive | null;
  readonly departures: readonly Departure[];
  /** Worth knowing, and no rule is broken. */
  readonly notes: readonly string[];
}

/** The event stream on the wire. */
export interface StreamLooks {
  readonly contentType: string;
  /** Where to POST, as the first event said it; null where it said nothing. */
  readonly endpoint: string | null;
  readonly lineEndings: { readonly lf: number; readonly crlf: number; readonly cr: number };
  /** `data: x` or `data:x`. */
  readonly spaceAfterColon: 'always' | 'sometimes' | 'never';
  readonly eventIds: boolean;
  readonly retryMs: number | null;
  /** The stream's first bytes, as they came. */
  readonly firstBytes: string;
}

/** How POSTs are answered. */
export interface PostLooks {
  /** The kinds of acceptance seen, the usual one first. */
  readonly accepted: readonly {
    readonly status: number;
    readonly body: string;
    readonly framing: string;
    readonly count: number;
  }[];
  readonly connections: number;
  readonly reused: number;
  readonly closedByServer: number;
  /** The server's own word on how long it keeps a connection: its `Keep-Alive` header. */
  readonly keepAliveHeader: string | null;
}

/** How requests are answered over Streamable HTTP. */
export interface ReplyLooks {
  /** Responses that were a JSON body, and those that came in a stream of events. */
  readonly json: number;
  readonly events: number;
  /** Events without a message, which only have an id to come back with. */
  readonly priming: number;
  /** What became of the DELETE that ended the session; null where the server gave out no session id. */
  readonly session: 'deleted' | 'refused' | 'unanswered' | null;
}

/** What kept the stream alive while it was listened to. */
export interface KeepAlive {
  readonly listenedMs: number;
  readonly seen: readonly {
    readonly kind: 'comment' | 'ping event' | 'ping request' | 'ping notification';
    readonly count: number;
    readonly example: string;
    /** From one to the next; null where there was only one. */
    readonly everyMs: number | null;
  }[];
}
