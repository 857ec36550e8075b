import type { RpcError } from '../protocol/json-rpc.js';
import type { ToolScript } from './tool-script.js';

/** A tool that ran and failed, which is not a protocol error. */
export class ToolFailed {
  constructor(readonly message: string) {}
}

/** The whole result of a call as JSON, where it is more than one value: content of several kinds, structured content. */
export class ToolResult {
  constructor(readonly json: string) {}
}

/** A tool's value as JSON text, or its whole result, or what went wrong. */
export type ToolOutcome = string | ToolResult | ToolFailed | RpcError;

/** A JSON Schema of an object; what the mock itself checks of it are the names and types of its properties. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties?: Record<string, { readonly type?: unknown; readonly [keyword: string]: unknown }>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Who calls a tool: what its random choices are made from, and its counter. */
export interface ToolCaller {
  readonly ordinal: number;
  counter: number;
}

/** Something that `tools/call` can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** What `tools/list` says of it besides: title, outputSchema, annotations. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly returnType: string;
  run(args: Record<string, unknown>, caller: ToolCaller, callOrdinal: number): ToolOutcome;
  /** How long the work itself takes, by its arguments; added to the configured latency. */
  workNs?(args: Record<string, unknown>): number;
  /** What it does before it answers, where that is more than to wait. */
  readonly script?: ToolScript;
}
