import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request as it came, to the byte. */
export interface ScriptedRequest {
  readonly connection: ScriptedConnection;
  readonly method: string;
  /** Path and query, as the client wrote them. */
  readonly target: string;
  /** Names in lower case; of repeated headers all values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

export interface ScriptedServerOptions {
  readonly host?: string;
  readonly unixSocket?: string;
  readonly tls?: TlsOptions;
}

/**
 * Calls back when this thread has read whatever has been written to its sockets by now: on loopback what is written can be
 * read at once, so that some turns of the loop are enough.
 */
export function afterReading(action: () => void, turns = 3): void {
  setImmediate(() => (turns <= 1 ? action() : afterReading(action, turns - 1)));
}

/** One connection of a client, and everything it asked for. */
export class ScriptedConnection {
  readonly requests: ScriptedRequest[] = [];
  private unread = Buffer.alloc(0);

  constructor(
    readonly socket: Socket,
    readonly ordinal: number,
    private readonly onRequest: (request: ScriptedRequest) => void,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    // The client may just go away; that is part of what is tested.
    socket.on('error', () => {});
  }

  /** Sends exactly these bytes. */
  write(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** Sends the pieces one by one, each only when the kernel has taken the one before. */
  async writeApart(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) {
      await new Promise<void>((resolve) => this.socket.write(piece, () => setImmediate(resolve)));
    }
  }

  /** Closes in good order, after what was written. */
  end(bytes = ''): void {
    this.socket.end(bytes);
  }

  /** Breaks off. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  private read(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk]);
    for (;;) {
      const headEnd = this.unread.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const [line, ...fields] = this.unread.toString('latin1', 0, headEnd).split('\r\n');
      const headers = readHeaders(fields);
      const bodyStart = headEnd + 4;
      const bodyEnd = bodyStart + Number(headers.get('content-length')?.[0] ?? 0);
      if (this.unread.length < bodyEnd) return;
      const [method = '', target = ''] = line!.split(' ');
      const body = this.unread.toString('utf8', bodyStart, bodyEnd);
      this.unread = this.unread.subarray(bodyEnd);
      const request = { connection: this, method, target, headers, body };
      this.requests.push(request);
      this.onRequest(request);
    }
  }
}

/** A raw server that answers with exactly the bytes that a test wants, and remembers everything it was asked. */
export class ScriptedServer {
  readonly connections: ScriptedConnection[] = [];
  port = 0;

  private constructor(
    private readonly server: Server,
    private readonly options: ScriptedServerOptions,
  ) {}

  static async listen(
    onRequest: (request: ScriptedRequest) => void,
    options: ScriptedServerOptions = {},
  ): Promise<ScriptedServer> {
    const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
    const scripted = new ScriptedServer(server, options);
    server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const { connections } = scripted;
      connections.push(new ScriptedConnection(socket, connections.length, onRequest));
    });
    // A handshake that the client breaks off is the client's business.
    server.on('tlsClientError', () => {});
    if (options.unixSocket === undefined) server.listen(0, options.host ?? '127.0.0.1');
    else server.listen(options.unixSocket);
    await once(server, 'listening');
    if (options.unixSocket === undefined) scripted.port = (server.address() as AddressInfo).port;
    return scripted;
  }

  /** Scheme, host and port. */
  get origin(): string {
    const scheme = this.options.tls === undefined ? 'http' : 'https';
    if (this.options.unixSocket !== undefined) return `${scheme}://localhost`;
    const { host = '127.0.0.1' } = this.options;
    return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${this.port}`;
  }

  get requests(): ScriptedRequest[] {
    return this.connections.flatMap(({ requests }) => requests);
  }

  async close(): Promise<void> {
    for (const { socket } of this.connections) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

function readHeaders(fields: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), field.slice(colon + 1).trim()]);
  }
  return headers;
}
