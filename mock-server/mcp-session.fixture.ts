import { post, RawStream } from './raw-client.fixture.js';
import type { SeenReply } from './raw-client.fixture.js';

/** A client of one session that does only what it is told to: for tests of all dialects. */
export class McpSession {
  private nextId = 1;

  private constructor(
    readonly stream: RawStream,
    readonly postUrl: string,
    readonly dialect: string,
  ) {}

  /** Opens the stream and finds out where to POST. */
  static async open(url: string, dialect: string): Promise<McpSession> {
    const stream = await RawStream.open(url);
    if (stream.status !== 200) throw new Error(`the stream was refused with ${stream.status}`);
    const { data } = stream.events[0]!;
    const endpoint =
      dialect === 'workspace'
        ? url
        : dialect === 'pymcp'
          ? (JSON.parse(data) as { endpoint: string }).endpoint
          : data;
    return new McpSession(stream, new URL(endpoint, url).href, dialect);
  }

  /** Opens a session and completes its handshake. */
  static async ready(url: string, dialect: string): Promise<McpSession> {
    const session = await McpSession.open(url, dialect);
    await session.ask('initialize', {
      protocolVersion: dialect === 'pymcp' ? '0.3.0' : '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    await session.notify('notifications/initialized');
    return session;
  }

  /** An id of the type that the dialect's clients use. */
  id(): string | number {
    const id = this.nextId++;
    return this.dialect === 'workspace' || this.dialect === 'pymcp' ? `c${id}` : id;
  }

  /** POSTs a request and waits for its response. */
  async ask(method: string, params?: object): Promise<Record<string, unknown>> {
    const id = this.id();
    await this.post({ jsonrpc: '2.0', id, method, params });
    return this.stream.response(id);
  }

  /** Calls a tool and waits for its response. */
  call(name: string, args: object = {}): Promise<Record<string, unknown>> {
    return this.ask('tools/call', this.callParams(name, args));
  }

  callParams(name: string, args: object): object {
    return { name, [this.dialect === 'pymcp' ? 'kwargs' : 'arguments']: args };
  }

  notify(method: string, params?: object): Promise<SeenReply> {
    return this.post({ jsonrpc: '2.0', method, params });
  }

  post(body: string | object): Promise<SeenReply> {
    return post(this.postUrl, body);
  }

  close(): void {
    this.stream.close();
  }
}
