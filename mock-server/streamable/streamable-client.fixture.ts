import { request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { createParser } from 'eventsource-parser';
import { until } from '../raw-client.fixture.js';

export type Message = Record<string, unknown> & { id?: unknown; method?: string; params?: Message };

/** The answer to one request over Streamable HTTP, as it comes in. */
export class SeenAnswer {
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** The whole body so far. */
  text = '';
  readonly messages: Message[] = [];
  readonly ids: (string | undefined)[] = [];
  readonly events: string[] = [];
  readonly comments: string[] = [];
  retryMs = 0;
  ended: 'open' | 'good' | 'broken' = 'open';
  private readonly parser = createParser({
    onEvent: ({ event, data, id }) => {
      this.ids.push(id);
      this.events.push(event ?? '');
      if (data !== '') this.messages.push(JSON.parse(data) as Message);
    },
    onComment: (comment) => this.comments.push(comment),
    onRetry: (ms) => {
      this.retryMs = ms;
    },
  });

  constructor(readonly sent: ClientRequest) {
    sent.on('error', () => {
      if (this.ended === 'open') this.ended = 'broken';
    });
    sent.on('response', (res) => {
      this.status = res.statusCode!;
      this.headers = res.headers;
      const stream = res.headers['content-type'] === 'text/event-stream';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        this.text += chunk;
        if (stream) this.parser.feed(chunk);
      });
      res.on('end', () => {
        if (!stream && this.text.startsWith('{')) this.messages.push(JSON.parse(this.text) as Message);
        if (!stream && this.text.startsWith('[')) this.messages.push(...(JSON.parse(this.text) as Message[]));
        this.ended = 'good';
      });
      res.on('error', () => {
        this.ended = 'broken';
      });
    });
  }

  /** The last message. */
  get last(): Message {
    return this.messages.at(-1)!;
  }

  /** The value of a call that went well. */
  get value(): string {
    return (this.last['result'] as { content: { text: string }[] }).content[0]!.text;
  }

  get errorCode(): number {
    return (this.last['error'] as { code: number }).code;
  }

  async whole(): Promise<this> {
    await until(() => this.ended !== 'open');
    return this;
  }

  async message(count: number): Promise<Message> {
    await until(() => this.messages.length >= count || this.ended !== 'open');
    return this.messages[count - 1]!;
  }

  async begun(): Promise<this> {
    await until(() => this.status !== 0 || this.ended !== 'open');
    return this;
  }

  leave(): void {
    this.sent.destroy();
  }
}

const accept = 'application/json, text/event-stream';

/** Sends one request on a connection of its own. */
export function exchange(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): SeenAnswer {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(url, { method, agent: false, headers: { accept, ...type, ...headers } });
  sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  return new SeenAnswer(sent);
}

/** A client of one session that does only what it is told to. */
export class SessionClient {
  private nextId = 1;

  private constructor(
    readonly url: string,
    readonly headers: Record<string, string>,
    readonly opening: SeenAnswer,
  ) {}

  static async open(url: string, version = '2025-11-25', capabilities: object = {}): Promise<SessionClient> {
    const params = { protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } };
    const opening = exchange(url, 'POST', { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await opening.whole();
    const id = opening.headers['mcp-session-id'] as string | undefined;
    const headers: Record<string, string> =
      version === '2025-03-26' ? {} : { 'mcp-protocol-version': version };
    const client = new SessionClient(
      url,
      id === undefined ? headers : { ...headers, 'mcp-session-id': id },
      opening,
    );
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }).whole();
    return client;
  }

  post(body: unknown, headers: Record<string, string> = {}): SeenAnswer {
    return exchange(this.url, 'POST', body, { ...this.headers, ...headers });
  }

  get(headers: Record<string, string> = {}): SeenAnswer {
    return exchange(this.url, 'GET', undefined, { ...this.headers, ...headers });
  }

  end(): Promise<SeenAnswer> {
    return exchange(this.url, 'DELETE', undefined, this.headers).whole();
  }

  /** Begins a request. */
  send(method: string, params?: object): SeenAnswer {
    return this.post({ jsonrpc: '2.0', id: this.nextId++, method, params });
  }

  begin(name: string, args: object = {}, more: object = {}): SeenAnswer {
    return this.send('tools/call', { name, arguments: args, ...more });
  }

  ask(method: string, params?: object): Promise<SeenAnswer> {
    return this.send(method, params).whole();
  }

  call(name: string, args: object = {}, more: object = {}): Promise<SeenAnswer> {
    return this.begin(name, args, more).whole();
  }
}

const key = 'io.modelcontextprotocol/';

/** A request of the stateless era. */
export function stateless(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  more: { capabilities?: object; headers?: Record<string, string>; id?: number; meta?: object } = {},
): SeenAnswer {
  const meta = {
    [`${key}protocolVersion`]: '2026-07-28',
    [`${key}clientCapabilities`]: more.capabilities ?? {},
    ...more.meta,
  };
  const name = params['name'] ?? params['uri'];
  const headers: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...more.headers,
  };
  const body = { jsonrpc: '2.0', id: more.id ?? 1, method, params: { ...params, _meta: meta } };
  return exchange(url, 'POST', body, headers);
}
