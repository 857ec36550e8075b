import type { RpcError } from '../protocol/json-rpc.js';
import type { Session } from '../sessions/session.js';

/** A tool that ran and failed, which is not a protocol error. */
export class ToolFailed {
  constructor(readonly message: string) {}
}

/** A tool's value as JSON text, or what went wrong. */
export type ToolOutcome = string | ToolFailed | RpcError;

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Record<string, { readonly type: string; readonly description?: string }>;
  readonly required: readonly string[];
}

/** Something that `tools/call` can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly returnType: string;
  run(args: Record<string, unknown>, session: Session, callOrdinal: number): ToolOutcome;
  /** How long the work itself takes, by its arguments; added to the configured latency. */
  workNs?(args: Record<string, unknown>): number;
}
