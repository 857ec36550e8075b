import type { HttpReply } from '../../http/http-reply.js';
import type { RpcError } from '../json-rpc.js';
import type { WireOptions } from '../wire-options.js';

export const dialectNames = ['classic', 'rmcp', 'serena', 'workspace', 'pymcp'] as const;
export type DialectName = (typeof dialectNames)[number];

/** Why a request is refused over HTTP, before any event. */
export type Refusal =
  | 'notFound'
  | 'methodNotAllowed'
  | 'foreignHost'
  | 'foreignOrigin'
  | 'wrongContentType'
  | 'tooLarge'
  | 'malformedJson'
  | 'notJsonRpc'
  | 'noSession'
  | 'unknownSession'
  | 'streamGone'
  | 'tooManySessions';

/** What a refusal may quote from the request, and how its site writes errors. */
export interface RefusalContext {
  readonly idJson: string;
  readonly body: string;
  /** Errors carry `data`. */
  readonly errorData: boolean;
}

export interface EventText {
  /** The name on the `event:` line; '' for an event without one. */
  readonly event: string;
  readonly data: string;
}

export interface FirstEventContext {
  readonly endpoint: string;
  readonly sessionId: string;
  readonly timestamp: string;
}

/** All that is peculiar to one dialect of MCP over SSE. */
export interface Dialect {
  readonly name: DialectName;
  readonly streamPath: string;
  /** The query parameter that names the session; '' where the path itself does (a workspace). */
  readonly sessionParam: string;
  readonly sessionIdForm: 'uuid' | 'hex';
  readonly wire: Partial<WireOptions>;
  readonly responseEvent: string;
  readonly notificationEvent: string;
  /** The order of the members of a response: the id after the result. */
  readonly idLast: boolean;
  /** The methods beyond `initialize`, `tools/call` and notifications. */
  readonly methods: 'mcp' | 'mcp+legacy' | 'tools-only';
  readonly protocolVersion: 'negotiated' | '0.3.0';
  readonly protocolVersionRequired: boolean;
  readonly pingBeforeInitialize: boolean;
  readonly argumentsKey: 'arguments' | 'kwargs';
  /** Results are the tool's bare value and a failed tool is a JSON-RPC error. */
  readonly bareResults: boolean;
  readonly notInitialized: RpcError;
  readonly alreadyInitialized: RpcError;
  readonly unknownToolCode: number;
  firstEvent(context: FirstEventContext): EventText;
  /** The event that announces the end of the stream, where the dialect has one. */
  lastEvent(reason: string): EventText | null;
  refuse(refusal: Refusal, context: RefusalContext): HttpReply;
}
