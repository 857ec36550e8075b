import { clientInfo, type Dialect } from './dialect.js';

/** A request whose text is ready but for the id and the params: two strings and two holes. */
export interface MessageTemplate {
  readonly beforeId: string;
  readonly afterId: string;
  readonly end: string;
}

/**
 * The constant text of one operation's requests, in a dialect. `tool` is null for any other method than tools/call: its params then hold
 * `_meta` themselves, where the dialect wants it.
 */
export function messageTemplate(method: string, tool: string | null, dialect: Dialect): MessageTemplate {
  const quote = dialect.stringIds ? '"' : '';
  const beforeId = `{"jsonrpc":"2.0","id":${quote}`;
  const opening = `${quote},"method":${JSON.stringify(method)},"params":`;
  if (tool === null) return { beforeId, afterId: opening, end: '}' };
  return {
    beforeId,
    afterId: `${opening}{"name":${JSON.stringify(tool)},"${dialect.argumentsKey}":`,
    end: dialect.meta === null ? '}}' : `,"_meta":${JSON.stringify(dialect.meta)}}}`,
  };
}

/** The `initialize` request of a session. */
export function initializeMessage(id: number, dialect: Dialect, clientVersion: string): string {
  const { beforeId, afterId, end } = messageTemplate('initialize', null, dialect);
  const params = {
    protocolVersion: dialect.protocolVersion,
    capabilities: {},
    clientInfo: clientInfo(clientVersion),
  };
  return beforeId + id + afterId + JSON.stringify(params) + end;
}

export const initializedMessage = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Tells the server that nobody waits for this call any more. */
export function cancelledMessage(id: number, dialect: Dialect): string {
  const requestId = dialect.stringIds ? `"${id}"` : id;
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${requestId},"reason":"mcp-bench: cancelled by the scenario"}}`;
}

/** The answer to a request that the server sent us; silence would stall some servers. `idJson` is its id as JSON text. */
export function answerServerRequest(method: string, idJson: string): string {
  if (method === 'ping') return `{"jsonrpc":"2.0","id":${idJson},"result":{}}`;
  if (method === 'roots/list') return `{"jsonrpc":"2.0","id":${idJson},"result":{"roots":[]}}`;
  return `{"jsonrpc":"2.0","id":${idJson},"error":{"code":-32601,"message":"Method not found"}}`;
}
