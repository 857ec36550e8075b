import type { Answer } from '../streamable/answer.js';
import type { EventStore } from '../streamable/event-store.js';
import type { PeerCall } from './peer-call.js';
import { newestWithSessions } from './eras.js';
import type { RpcMessage } from '../protocol/json-rpc.js';
import type { Stream } from '../sessions/stream.js';
import type { ToolCaller } from '../tools/tool.js';

/** Who calls over Streamable HTTP: one session, or everybody who has none. */
export class Peer implements ToolCaller {
  /** tools/call requests so far: with `ordinal`, what the random choices are made from. */
  calls = 0;
  posts = 0;
  counter = 0;
  /** The revision of MCP that was agreed on. */
  version: string = newestWithSessions;
  capabilities: Record<string, unknown> = {};
  /** Index of the least severe level of log messages that it wants. */
  logLevel = 0;
  lastSeenNs = 0;
  open = true;
  /** The streams that it opened by GET. */
  readonly streams: Stream<Peer>[] = [];
  /** Answers that are not complete. */
  readonly answers = new Set<Answer>();
  /** Calls that are not answered, by the JSON of their ids. */
  readonly waiting = new Map<string, PeerCall>();
  /** What waits for its answers to requests of the server, by their ids. */
  readonly asked = new Map<number, (message: RpcMessage) => void>();
  lastAskedId = 0;
  /** Resources whose changes it wants to hear of. */
  readonly subscriptions = new Set<string>();
  lastStreamNumber = 0;

  constructor(
    /** Its session id; '' where there are no sessions. */
    readonly id: string,
    readonly ordinal: number,
    /** What its answers carry besides. */
    readonly headers: readonly (readonly [string, string])[],
    readonly store: EventStore | null,
    readonly era: 'sessions' | 'stateless',
  ) {}
}
