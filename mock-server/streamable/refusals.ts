import { httpReply } from '../http/http-reply.js';
import type { HttpReply } from '../http/http-reply.js';
import { errorJson, RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { Refusal } from '../protocol/dialects/dialect.js';

const sessionNotFound = -32001;

/** An HTTP answer that is a JSON-RPC error. */
export function errorReply(status: number, error: RpcError, idJson = 'null'): HttpReply {
  const body = `{"jsonrpc":"2.0","id":${idJson},"error":${errorJson(error)}}`;
  return httpReply(status, body, 'application/json');
}

/** Refuses what is wrong with a request before its era is known. */
export function refusalReply(refusal: Refusal): HttpReply {
  const [status, code, message] = table[refusal] ?? table.notJsonRpc!;
  const reply = errorReply(status, new RpcError(code, message));
  return refusal === 'methodNotAllowed' ? { ...reply, headers: [['Allow', 'GET, POST, DELETE']] } : reply;
}

/** 405 for a method that there is not, with those that there are. */
export function notAllowed(allow: string): HttpReply {
  const reply = errorReply(405, new RpcError(RpcCode.server, 'Method not allowed.'));
  return { ...reply, headers: [['Allow', allow]] };
}

/** The answer to a request for a session that is not known, with whatever status real servers have for that. */
export function unknownSession(status: number): HttpReply {
  if (status === 404) return errorReply(404, new RpcError(sessionNotFound, 'Session not found'));
  return errorReply(status, new RpcError(RpcCode.server, 'Bad Request: No valid session ID provided'));
}

/** The answers that are the same every time. */
export const refusals = {
  notAcceptable: errorReply(
    406,
    new RpcError(
      RpcCode.server,
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    ),
  ),
  noStreamAccepted: errorReply(
    406,
    new RpcError(RpcCode.server, 'Not Acceptable: Client must accept text/event-stream'),
  ),
  noSession: errorReply(400, new RpcError(RpcCode.server, 'Bad Request: Mcp-Session-Id header is required')),
  conflict: errorReply(
    409,
    new RpcError(RpcCode.server, 'Conflict: Only one SSE stream is allowed per session'),
  ),
  badEventId: errorReply(400, new RpcError(RpcCode.server, 'Invalid event ID format')),
  initialized: errorReply(
    400,
    new RpcError(RpcCode.invalidRequest, 'Invalid Request: Server already initialized'),
  ),
  noBatches: errorReply(
    400,
    new RpcError(RpcCode.invalidRequest, 'Invalid Request: batches exist in 2025-03-26 only'),
  ),
  badJson: errorReply(400, new RpcError(RpcCode.parse, 'Parse error: Invalid JSON')),
  tooManySessions: errorReply(503, new RpcError(RpcCode.server, 'Too many sessions')),
  sessionEnded: errorReply(404, new RpcError(sessionNotFound, 'Session not found')),
} as const;

const table: Partial<Record<Refusal, [status: number, code: number, message: string]>> = {
  methodNotAllowed: [405, RpcCode.server, 'Method not allowed.'],
  foreignHost: [403, RpcCode.server, 'Invalid Host header'],
  foreignOrigin: [403, RpcCode.server, 'Invalid Origin header'],
  wrongContentType: [415, RpcCode.server, 'Unsupported Media Type: Content-Type must be application/json'],
  tooLarge: [413, RpcCode.server, 'Payload too large'],
  malformedJson: [400, RpcCode.parse, 'Parse error: Invalid JSON'],
  notJsonRpc: [400, RpcCode.invalidRequest, 'Invalid Request: not a JSON-RPC message'],
};
