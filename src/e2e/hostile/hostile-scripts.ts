import { opening, respond, serve } from './hostile-server.js';
import { accepted, event, initialized, streamHead } from '../fixtures/scripted-mcp.js';
import type { McpScript, ScriptedPost, ScriptedSession } from '../fixtures/scripted-mcp.js';

// What hostile servers are put together from.

export const megabyte = 1024 * 1024;
export const endless = 'x'.repeat(1000);
export const owned = 'so\u0000\u001b[2J\u009b31m\u202e\u2028##[error]owned';

/** Goes through the handshake as it should, and then does this with each call. */
export function onCalls(misbehave: (post: ScriptedPost) => void): McpScript {
  return { onCall: misbehave };
}

/** Opens the stream as it should, and then sends this on it. */
export function onOpenStream(misbehave: (session: ScriptedSession) => void): McpScript {
  return {
    onStream: (session) => {
      session.stream.write(opening(session));
      misbehave(session);
    },
  };
}

/** Answers the GET with this and nothing more. */
export function onGet(bytes: string | Buffer): McpScript {
  return { onStream: ({ stream }) => stream.write(bytes) };
}

/** Names this endpoint. */
export function endpoint(text: string): McpScript {
  return onGet(streamHead + event(text, 'endpoint'));
}

/** Answers the POST of every call with this, and then the call as it should. */
export function onPost(bytes: string | Buffer): McpScript {
  return onCalls((post) => {
    post.connection.write(bytes);
    post.session.stream.write(event(respond(post)));
  });
}

/** Responds to every request, initialize included, with this text as the JSON of the result. */
export function results(json: (post: ScriptedPost) => string): McpScript {
  const serveIt = (post: ScriptedPost): void => {
    post.connection.write(accepted);
    post.session.stream.write(
      event(`{"jsonrpc":"2.0","id":${JSON.stringify(post.message.id)},"result":${json(post)}}`),
    );
  };
  return { onInitialize: serveIt, onCall: serveIt };
}

export const deep = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + '1' + close.repeat(levels);
// What a parser makes of it takes some thirty times the room.
export const fiveMillion = `${'{},'.repeat(5e6)}{}`;
export const chunked = (status: string, type = 'text/event-stream'): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
export const withIdentity = (identity: unknown): McpScript => ({
  onInitialize: (post) => {
    post.connection.write(accepted);
    const { result, ...rest } = initialized(post) as { result: object };
    post.session.stream.write(event({ ...rest, result: { ...result, serverInfo: identity } }));
  },
});
export const withTools = (tools: readonly unknown[]): McpScript =>
  onCalls((post) => {
    if (post.message.method !== 'tools/list') return serve(post);
    post.connection.write(accepted);
    post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, result: { tools } }));
  });

const required = (schema: object): object => ({ properties: { x: schema }, required: ['x'] });
const manyNames = Array.from({ length: 10 }, (_, at) => `p${at}`);
export const endlessSchemas: readonly object[] = [
  { properties: Object.fromEntries(manyNames.map((name) => [name, { $ref: '#' }])), required: manyNames },
  required({ type: 'string', minLength: 5e8 }),
  required({ type: 'array', minItems: 5e8, uniqueItems: true }),
  required({ pattern: 'a{500000000}' }),
  required({ pattern: '^(a+)+\\B$', minLength: 40 }),
  required({ anyOf: [{ $ref: '#/properties/x' }, { $ref: '#/properties/x/anyOf/0' }] }),
  required({ $ref: 5 }),
  required({ enum: 'x' }),
  required({ $ref: '#/%E0%A4%A' }),
  JSON.parse('{"items":'.repeat(1000) + '{}' + '}'.repeat(1000)) as object,
];

/** What every object of JavaScript answers to, own or not. */
export const memberNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** Answers initialize as it should, with these members in the result besides. */
export const withHello = (members: string): McpScript => ({
  onInitialize: (post) => {
    post.connection.write(accepted);
    const { result } = initialized(post) as { result: object };
    const whole = `${JSON.stringify(result).slice(0, -1)},${members}}`;
    post.session.stream.write(
      event(`{"jsonrpc":"2.0","id":${JSON.stringify(post.message.id)},"result":${whole}}`),
    );
  },
});
