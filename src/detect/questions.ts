import { readMessages } from '../mcp/read-messages.js';
import { packageVersion } from '../version.js';
import { readFirstEvent } from '../transport/sse/first-event.js';
import type { MoreHeaders } from '../transport/http/request-heads.js';
import type { DialectName } from '../scenario/plan.js';
import type { Look } from './ask.js';
import type { TargetAccess } from './target-access.js';

/** What an answer can hold that tells who gave it. */
export type Sign =
  | { readonly kind: 'response'; readonly response: Readonly<Record<string, unknown>> }
  /** Of an event stream: HTTP+SSE. */
  | { readonly kind: 'endpoint'; readonly dialect: DialectName };

// As the first request of a session has it; no two questions are asked on one connection.
const id = 1;

const clientInfo = (): object => ({ name: 'mcp-bench', version: packageVersion() });

/** `server/discover`, with which a server of the stateless era says who it is, as a message. */
export function discoverMessage(version: string): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo(),
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta } });
}

/** The same as a POST. */
export function discoverRequest(access: TargetAccess, path: string, version: string): string {
  return post(access, path, discoverMessage(version), [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', 'server/discover'],
  ]);
}

/** `initialize`, with which a session begins. */
export function initializeRequest(access: TargetAccess, path: string, version: string): string {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: clientInfo() };
  return post(access, path, JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params }), []);
}

/** A notification in a session, of whatever text. */
export function notificationRequest(
  access: TargetAccess,
  path: string,
  body: string,
  sessionId: string | null,
  version: string,
): string {
  return post(access, path, body, sessionHeaders(sessionId, version));
}

/** Ends a session again. */
export function deleteRequest(
  { heads, wiring }: TargetAccess,
  path: string,
  sessionId: string,
  version: string,
): string {
  const headers = sessionHeaders(sessionId, version);
  return `${heads.delete(path, wiring.peer.address, headers)}0\r\n\r\n`;
}

/** Looks for a response to the questions above, or for the first event of an HTTP+SSE stream. */
export const lookForSigns: Look<Sign> = (event, text) => {
  if (event !== null) {
    const first = readFirstEvent(event, text);
    if (first !== null) return { kind: 'endpoint', dialect: first.dialect };
  }
  for (const message of readMessages(text)) {
    if (message.kind !== 'response') continue;
    // An error that comes before the id was read has none.
    if (message.id === null || Number(message.id) === id) return { kind: 'response', response: message.body };
  }
  return null;
};

function sessionHeaders(sessionId: string | null, version: string): MoreHeaders {
  return [
    ...(sessionId === null ? [] : [['Mcp-Session-Id', sessionId] as const]),
    ['MCP-Protocol-Version', version],
  ];
}

function post({ heads, wiring }: TargetAccess, path: string, body: string, headers: MoreHeaders): string {
  return `${heads.post(path, wiring.peer.address, headers)}${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
