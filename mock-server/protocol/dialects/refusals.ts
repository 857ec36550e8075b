import { httpReply } from '../../http/http-reply.js';
import type { HttpReply } from '../../http/http-reply.js';
import { errorJson, RpcError } from '../json-rpc.js';
import type { Refusal, RefusalContext } from './dialect.js';

const quotedCharacters = 1000;

/** Refusals in plain text; `{body}` quotes the start of the request's body. */
export function textRefusals(table: Record<Refusal, [status: number, body: string]>) {
  return (refusal: Refusal, context: RefusalContext): HttpReply => {
    const [status, body] = table[refusal];
    const text = body.replace('{body}', () => context.body.slice(0, quotedCharacters));
    return httpReply(status, text, 'text/plain', allowHeader(refusal));
  };
}

/** Refusals as JSON-RPC errors in the body of the POST. */
export function rpcRefusals(
  table: Record<Refusal, [status: number, code: number, message: string]>,
  idLast: boolean,
) {
  return (refusal: Refusal, context: RefusalContext): HttpReply => {
    const [status, code, message] = table[refusal];
    const error = errorJson(new RpcError(code, message), context.errorData);
    const body = idLast
      ? `{"jsonrpc":"2.0","error":${error},"id":${context.idJson}}`
      : `{"jsonrpc":"2.0","id":${context.idJson},"error":${error}}`;
    return httpReply(status, body, 'application/json', allowHeader(refusal));
  };
}

function allowHeader(refusal: Refusal): { headers?: [string, string][] } {
  return refusal === 'methodNotAllowed' ? { headers: [['Allow', 'GET, POST']] } : {};
}
