import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createParser } from 'eventsource-parser';

/** An event as eventsource-parser reads it. */
export interface SeenEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

export interface SeenReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Resolves when something becomes true; looks again whenever the event loop turns. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** An event stream read with nothing but a socket and somebody else's parser. */
export class RawStream {
  status = 0;
  head = '';
  /** The bytes of the body with the chunked encoding taken off. */
  text = '';
  readonly events: SeenEvent[] = [];
  /** All JSON-RPC messages so far. */
  readonly messages: Record<string, unknown>[] = [];
  readonly comments: string[] = [];
  retryMs = 0;
  /** How the stream ended: with the last chunk, or broken off. */
  ended: 'open' | 'good' | 'broken' = 'open';
  closed = false;
  private raw = Buffer.alloc(0);
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly parser = createParser({
    onEvent: ({ event, data, id }) => {
      this.events.push({ event: event ?? '', data, id });
      if (data.startsWith('{"jsonrpc"')) this.messages.push(JSON.parse(data) as Record<string, unknown>);
    },
    onComment: (comment) => this.comments.push(comment),
    onRetry: (ms) => {
      this.retryMs = ms;
    },
  });

  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes) => {
      this.raw = Buffer.concat([this.raw, bytes]);
      this.read();
    });
    socket.on('close', () => {
      this.closed = true;
      if (this.ended === 'open') this.ended = 'broken';
    });
    socket.on('error', () => undefined);
  }

  /** Opens a stream and waits for its first event (or, where there is none, for the answer's headers). */
  static async open(url: string, headers: Record<string, string> = {}): Promise<RawStream> {
    const { hostname, port, pathname, search, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    const stream = new RawStream(socket);
    const lines = Object.entries({ Host: host, Accept: 'text/event-stream', ...headers });
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`,
    );
    await until(
      () => stream.events.length > 0 || (stream.status !== 0 && stream.status !== 200) || stream.closed,
    );
    return stream;
  }

  /** Waits until there are that many events, and returns the last of them. */
  async event(count: number): Promise<SeenEvent> {
    await until(() => this.events.length >= count || this.ended !== 'open');
    const event = this.events[count - 1];
    if (!event) throw new Error(`the stream ended after ${this.events.length} events`);
    return event;
  }

  /** Waits for the response to a request. */
  async response(id: string | number | null): Promise<Record<string, unknown>> {
    const find = (): Record<string, unknown> | undefined =>
      this.messages.find((message) => message['id'] === id && !('method' in message));
    await until(() => find() !== undefined || this.ended !== 'open');
    const found = find();
    if (!found) throw new Error(`the stream ended without a response to ${id}`);
    return found;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(): void {
    if (this.head === '') {
      const end = this.raw.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.head = this.raw.subarray(0, end).toString();
      this.status = Number(this.head.split(' ')[1]);
      this.raw = this.raw.subarray(end + 4);
    }
    if (!/transfer-encoding: chunked/i.test(this.head)) return;
    while (this.ended === 'open') {
      // uWebSockets sends the line end of a chunk only together with the next chunk.
      while (this.raw[0] === 13 || this.raw[0] === 10) this.raw = this.raw.subarray(1);
      const end = this.raw.indexOf('\r\n');
      if (end === -1) return;
      const size = Number.parseInt(this.raw.subarray(0, end).toString(), 16);
      if (size === 0) {
        this.ended = 'good';
        return;
      }
      if (this.raw.length < end + 2 + size) return;
      this.feed(this.raw.subarray(end + 2, end + 2 + size));
      this.raw = this.raw.subarray(end + 2 + size);
    }
  }

  private feed(bytes: Buffer): void {
    const text = this.decoder.decode(bytes, { stream: true });
    this.text += text;
    this.parser.feed(text);
  }
}

/** POSTs once, on a connection of its own. */
export function post(
  url: string | URL,
  body: string | object,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<SeenReply> {
  return send('POST', url, typeof body === 'string' ? body : JSON.stringify(body), headers);
}

/** Any request, on a connection of its own. */
export function send(
  method: string,
  url: string | URL,
  body = '',
  headers: Record<string, string> = {},
): Promise<SeenReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, body: text }));
      res.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Writes bytes to a port and gives back all that came before the connection closed. */
export function rawExchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let seen = '';
    socket.on('data', (chunk) => (seen += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(seen));
    socket.write(bytes);
  });
}
