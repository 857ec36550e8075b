import {
  accepted,
  answer,
  echo,
  event,
  McpServer,
  type McpScript,
  type ScriptedPost,
  streamHead,
} from '../fixtures/scripted-mcp.js';
import type { ScriptedConnection, ScriptedRequest } from '../fixtures/scripted-server.js';

/** A server of one harmless tool that is well behaved wherever the attack says nothing else. */
export function listenHostile(attack: McpScript): Promise<McpServer> {
  const script = { onCall: serve, onRequest: refuseWhatIsWrong, ...attack };
  return McpServer.listen(script);
}

// Questions that a probe asks in order to be refused.
function refuseWhatIsWrong(
  { method, target, body, connection }: ScriptedRequest,
  server: McpServer,
): boolean {
  const refused = refusal(method, target, body, server);
  if (refused !== null) connection.write(answer(refused));
  return refused !== null;
}

function refusal(method: string, target: string, body: string, { sessions }: McpServer): number | null {
  if (method === 'GET') return null;
  if (method !== 'POST' || !target.startsWith('/messages')) return 405;
  if (!isJson(body)) return 400;
  return sessions[Number(/=(\d+)$/.exec(target)?.[1])] === undefined ? 404 : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Accepts the post and answers it on the stream. */
export function serve(post: ScriptedPost): void {
  post.connection.write(accepted);
  post.session.stream.write(event(respond(post)));
}

/** The tools of a well-behaved server, and as many more as wanted. */
export function listOfTools(more: readonly unknown[] = []): unknown[] {
  const message = { type: 'string' };
  const inputSchema = { type: 'object', properties: { message }, required: ['message'] };
  return [{ name: 'echo', description: 'Returns its message.', inputSchema }, ...more];
}

/** What a well-behaved server responds to any request but initialize. */
export function respond(post: ScriptedPost): {
  jsonrpc: '2.0';
  id: unknown;
  result?: unknown;
  error?: unknown;
} {
  const { id, method } = post.message;
  const { name } = (post.message.params ?? {}) as { name?: unknown };
  if (method === 'tools/call' && name === 'echo') return echo(post);
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: listOfTools() } };
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

/** The endpoint event of a well-behaved server, with the head of the stream before it. */
export function opening(session: { readonly ordinal: number }): string {
  return streamHead + event(`/messages?sessionId=${session.ordinal}`, 'endpoint');
}

/** Sends the piece again and again, as fast as it is read, until so many bytes have gone or nobody is there any more. */
export function pour(connection: ScriptedConnection, piece: string | Buffer, bytes = Infinity): void {
  const { socket } = connection;
  const block = Buffer.from(piece);
  const many = Buffer.concat(Array.from({ length: Math.ceil(65536 / block.length) }, () => block));
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !socket.destroyed && socket.writable) {
      left -= many.length;
      if (!socket.write(many)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** Sends the text byte by byte, one every few milliseconds, as long as somebody is there. */
export function drip(connection: ScriptedConnection, text: string, everyMs = 10): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= text.length || connection.socket.destroyed) clearInterval(timer);
    else connection.write(text[at++]!);
  }, everyMs);
}
