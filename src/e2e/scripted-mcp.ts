import { ScriptedServer, type ScriptedConnection, type ScriptedRequest } from './scripted-server.js';
import type { ScriptedServerOptions } from './scripted-server.js';

/** One session of a scripted server: its stream and what has been posted to it. */
export interface ScriptedSession {
  readonly ordinal: number;
  readonly stream: ScriptedConnection;
  readonly get: ScriptedRequest;
  /** Calls that came so far. */
  calls: number;
}

/** A message that was POSTed, ready to be answered. */
export interface ScriptedPost {
  readonly request: ScriptedRequest;
  readonly connection: ScriptedConnection;
  readonly session: ScriptedSession;
  readonly message: {
    readonly id?: number | string;
    readonly method?: string;
    readonly params?: { readonly arguments?: { readonly message?: string } };
    readonly result?: unknown;
    readonly error?: { readonly code: number };
  };
  /** Number of the call over the whole server, from 0; only of calls. */
  readonly n: number;
}

/** What a test plays; what it leaves out is done as a well-behaved classic server does it. */
export interface McpScript {
  /** Any request, ahead of all else; false leaves it to the others. */
  onRequest?(request: ScriptedRequest, server: McpServer): boolean;
  onStream?(session: ScriptedSession, server: McpServer): void;
  onInitialize?(post: ScriptedPost, server: McpServer): void;
  onInitialized?(post: ScriptedPost, server: McpServer): void;
  onCall?(post: ScriptedPost, server: McpServer): void;
  /** Responses and notifications of the client. */
  onOther?(post: ScriptedPost, server: McpServer): void;
}

export const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nConnection: keep-alive\r\n\r\n';

/** An HTTP/1.1 answer with a length. */
export function answer(status: number, body = '', headers: readonly string[] = []): string {
  const lines = [`HTTP/1.1 ${status} Scripted`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** An answer whose body is JSON. */
export function jsonAnswer(status: number, body: unknown): string {
  return answer(status, JSON.stringify(body), ['Content-Type: application/json']);
}

export const accepted = answer(202, 'Accepted');

/** An event with a name and one line of data. */
export function event(data: unknown, name = 'message'): string {
  return `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The response that an echo of the post's message is. */
export function echo(post: ScriptedPost): { jsonrpc: '2.0'; id: unknown; result: unknown } {
  const text = post.message.params?.arguments?.message ?? '';
  return { jsonrpc: '2.0', id: post.message.id, result: { content: [{ type: 'text', text }] } };
}

const initializeResult = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.2.3' },
};

/** The response to an initialize. */
export function initialized(post: ScriptedPost): unknown {
  return { jsonrpc: '2.0', id: post.message.id, result: initializeResult };
}

/** A scripted server that speaks MCP: a test changes what it wants to see mishandled. */
export class McpServer {
  readonly sessions: ScriptedSession[] = [];
  readonly posts: ScriptedPost[] = [];
  private calls = 0;
  wire!: ScriptedServer;

  private constructor(private readonly script: McpScript) {}

  static async listen(script: McpScript, options: ScriptedServerOptions = {}): Promise<McpServer> {
    const server = new McpServer(script);
    server.wire = await ScriptedServer.listen((request) => server.take(request), options);
    return server;
  }

  get url(): string {
    return `${this.wire.origin}/sse`;
  }

  endpointOf(session: ScriptedSession): string {
    return `/messages?sessionId=${session.ordinal}`;
  }

  /** The methods of all that was posted, in the order in which it came. */
  get methods(): string[] {
    return this.posts.map(({ message }) => message.method ?? 'response');
  }

  /** Accepts the post, then answers it on its session's stream. */
  serve(post: ScriptedPost): void {
    post.connection.write(accepted);
    post.session.stream.write(event(echo(post)));
  }

  private take(request: ScriptedRequest): void {
    if (this.script.onRequest?.(request, this)) return;
    if (request.method === 'GET') {
      const session = { ordinal: this.sessions.length, stream: request.connection, get: request, calls: 0 };
      this.sessions.push(session);
      if (this.script.onStream) return this.script.onStream(session, this);
      return session.stream.write(streamHead + event(this.endpointOf(session), 'endpoint'));
    }
    const session = this.sessions[Number(/(\d+)\/?$/.exec(request.target)?.[1] ?? 0)]!;
    const message = JSON.parse(request.body) as ScriptedPost['message'];
    const isCall =
      message.method !== undefined && message.id !== undefined && message.method !== 'initialize';
    const n = isCall ? this.calls++ : -1;
    if (isCall) session.calls++;
    const post = { request, connection: request.connection, session, message, n };
    this.posts.push(post);
    this.dispatch(post, isCall);
  }

  private dispatch(post: ScriptedPost, isCall: boolean): void {
    const { onInitialize, onInitialized, onCall, onOther } = this.script;
    if (isCall) return onCall ? onCall(post, this) : this.serve(post);
    if (post.message.method === 'initialize') {
      if (onInitialize) return onInitialize(post, this);
      post.connection.write(accepted);
      return post.session.stream.write(event(initialized(post)));
    }
    if (post.message.method === 'notifications/initialized')
      return onInitialized ? onInitialized(post, this) : post.connection.write(accepted);
    return onOther ? onOther(post, this) : post.connection.write(accepted);
  }

  close(): Promise<void> {
    return this.wire.close();
  }
}
