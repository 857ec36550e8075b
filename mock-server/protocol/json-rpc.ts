/** The codes of JSON-RPC itself. */
export const RpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** What a request fails with: becomes the `error` member of its response. */
export class RpcError {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly data?: unknown,
  ) {}
}

export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown> | unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
}

export const MessageKind = { invalid: 0, request: 1, notification: 2, response: 3 } as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** What kind of JSON-RPC message a parsed body is. Batches, null ids of requests and fractional ids are invalid, as in the SDKs. */
export function kindOf(message: unknown): MessageKind {
  if (typeof message !== 'object' || message === null) return MessageKind.invalid;
  const { jsonrpc, id, method, params } = message as RpcMessage;
  if (jsonrpc !== '2.0') return MessageKind.invalid;
  if (typeof method === 'string') {
    if (params !== undefined && (typeof params !== 'object' || params === null)) return MessageKind.invalid;
    if (id === undefined) return MessageKind.notification;
    return isId(id) ? MessageKind.request : MessageKind.invalid;
  }
  return method === undefined && isResponse(message as RpcMessage)
    ? MessageKind.response
    : MessageKind.invalid;
}

/** A valid request id: a string or a whole number. */
export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

function isResponse(message: RpcMessage): boolean {
  const { result, error } = message;
  if ((result === undefined) === (error === undefined)) return false;
  if (error === undefined) return isId(message.id);
  const { code, message: text } = (error ?? {}) as { code?: unknown; message?: unknown };
  return Number.isSafeInteger(code) && typeof text === 'string' && (isId(message.id) || message.id === null);
}

/** The `error` member of a response, as JSON. */
export function errorJson(error: RpcError, alwaysData = false): string {
  const data = error.data ?? (alwaysData ? { source: 'mcp-bench mock' } : undefined);
  return JSON.stringify({
    code: error.code,
    message: error.message,
    ...(data === undefined ? {} : { data }),
  });
}
