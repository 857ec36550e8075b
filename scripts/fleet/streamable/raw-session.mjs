// A session of Streamable HTTP, of either era, over raw connections.
import { messagesOf, openConnection, requestBytes } from './raw-connection.mjs';

export const sessionsVersion = '2025-11-25';
export const statelessVersion = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';
const clientInfo = { name: 'examine', version: '1.0.0' };

/** The JSON-RPC text of a tool call. */
export const callOf = ({ tool, arguments: args }) => ({
  method: 'tools/call',
  params: { name: tool, arguments: args },
});

/** Opens a session as its era has it: `initialize` and `notifications/initialized`, or nothing at all. */
export async function openSession(url, era, { limitMs = 10_000 } = {}) {
  const session = { url, era, id: undefined, limitMs };
  session.connection = openConnection(url, { limitMs });
  if (era === 'stateless') return session;
  session.opening = post(session, { id: 'init', ...initializeOf(sessionsVersion) });
  await session.opening.done;
  session.id = session.opening.headers?.['mcp-session-id'];
  session.version = messagesOf(session.opening)[0]?.result?.protocolVersion;
  session.noted = post(session, { method: 'notifications/initialized' });
  await session.noted.done;
  return session;
}

/** An `initialize` request for a revision. */
export function initializeOf(protocolVersion) {
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

/** The headers of a session's requests; of a stateless one those that mirror the message. */
export function headersOf({ era, id, version }, message = {}) {
  const basics = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  if (era === 'sessions') return { ...basics, 'Mcp-Session-Id': id, 'MCP-Protocol-Version': version };
  const name = message.params?.name;
  return {
    ...basics,
    'MCP-Protocol-Version': statelessVersion,
    'Mcp-Method': message.method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
}

/** A message as the session's era has it: without sessions each carries what `initialize` would have said. */
export function textOf({ era }, message) {
  const meta = {
    [`${prefix}protocolVersion`]: statelessVersion,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: clientInfo,
  };
  const params = era === 'stateless' ? { _meta: meta, ...message.params } : message.params;
  return JSON.stringify({ jsonrpc: '2.0', ...message, ...(params === undefined ? {} : { params }) });
}

/** Posts a message on the session's own connection, or the given one, with other headers where they are given. */
export function post(session, message, { connection = session.connection, headers = {}, body } = {}) {
  const text = body ?? textOf(session, message);
  const fields = { ...headersOf(session, message), ...headers };
  return connection.send(requestBytes(session.url, 'POST', fields, text));
}

/** Posts a message on a connection of its own and resolves with its answer, complete or not. */
export async function postAlone(session, message, options = {}) {
  const connection = openConnection(session.url, { limitMs: options.limitMs ?? session.limitMs });
  const answer = post(session, message, { ...options, connection });
  await answer.done;
  answer.wasClosed = connection.closed;
  connection.close();
  return answer;
}

/** GET or DELETE with the session's headers, on a connection of its own, which the answer has as `connection`. */
export function ask(session, method, headers = {}) {
  const connection = openConnection(session.url, { limitMs: 3000 });
  const { 'Content-Type': _, ...own } = headersOf(session, { method });
  const bytes = requestBytes(session.url, method, { ...own, Accept: 'text/event-stream', ...headers });
  return Object.assign(connection.send(bytes), { connection });
}
