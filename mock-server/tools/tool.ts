import type { Exchange } from '../content/exchange.js';
import type { RpcError } from '../protocol/json-rpc.js';
import type { Session } from '../sessions/session.js';

/** A tool that ran and failed, which is not a protocol error. */
export class ToolFailed {
  constructor(readonly message: string) {}
}

/** A list of content blocks as JSON text, which is the result as it is. */
export class ToolContent {
  constructor(readonly json: string) {}
}

/** A tool's value as JSON text, its content, or what went wrong. */
export type ToolOutcome = string | ToolContent | ToolFailed | RpcError;

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Record<string, { readonly type?: string; readonly description?: string }>;
  readonly required: readonly string[];
  /** Whatever else a configured schema says. */
  readonly [key: string]: unknown;
}

/** Something that `tools/call` can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly returnType: string;
  /** `inputs` is what the client answered to what it was asked. */
  run(
    args: Record<string, unknown>,
    session: Session,
    callOrdinal: number,
    inputs?: Record<string, unknown>,
  ): ToolOutcome;
  /** What passes between server and client before the result, where anything does. */
  readonly exchange?: Exchange | undefined;
  /** How long the work itself takes, by its arguments; added to the configured latency. */
  workNs?(args: Record<string, unknown>): number;
}
