import type * as UwsModule from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { cannotListen } from './cannot-listen.js';
import type { Engine, ListenOptions } from './engine.js';
import type { Front, StreamHandle } from './front.js';
import type { HttpReply } from './http-reply.js';
import { McpHeaders } from './mcp-headers.js';
import type { BodyPost } from './post.js';
import { sessionKeyOf } from './router.js';
import type { Route } from './router.js';
import { firstStateless } from '../peers/eras.js';
import { plainStreamHead } from '../sessions/stream.js';
import type { BodyHead, BodyReader, StreamSink } from '../sessions/stream.js';

/** The module uWebSockets.js. */
export type Uws = typeof UwsModule;

const listenExclusively = 1;
/** uWebSockets looks every four seconds, and so gives up on a reader that took nothing for eight to twelve seconds. */
const stalledAfterNs = 7.5e9;
// More than uWebSockets gathers before it writes, so that it says what became of a piece; less than a socket has room for
// when it says that it has room again, so that nothing is left of the piece before.
const pieceBytes = 16_384;

/** Loads uWebSockets.js, or returns the reason why this platform has none. */
export async function loadUws(): Promise<Uws | Error> {
  try {
    return await import('uWebSockets.js');
  } catch (error) {
    return error as Error;
  }
}

/** Why uWebSockets.js does not load; without it, that it is not installed, which is as good as any other choice. */
export function whyNoUws(error: Error): { installed: boolean; reason: string } {
  const installed = (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND';
  return {
    installed,
    reason: installed
      ? `uWebSockets.js does not load here: ${error.message.split('\n')[0]}`
      : 'uWebSockets.js is not installed: npm install uWebSockets.js@npm:uws-pack@20.0.8 (Node 20 and 22)',
  };
}

/** Serves a mock with uWebSockets. */
export async function serveUws(uws: Uws, front: Front, listen: ListenOptions): Promise<Engine> {
  const app = uws.App();
  addRoutes(app, front);
  const port = await listenUws(uws, app, listen);
  return {
    name: 'uws',
    port,
    close: async (reason) => {
      front.app.close(reason);
      // What has just been written must leave before all sockets are closed.
      await new Promise((resolve) => setImmediate(resolve));
      app.close();
    },
  };
}

/** Listens alone on a port, and returns it. uWebSockets by itself would share it silently with others. */
export async function listenUws(uws: Uws, app: TemplatedApp, { host, port }: ListenOptions): Promise<number> {
  // The type declarations know only two of the first three arguments at a time.
  const listen = app.listen.bind(app) as unknown as (
    host: string,
    port: number,
    options: number,
    done: (socket: us_listen_socket | false) => void,
  ) => void;
  const socket = await new Promise<us_listen_socket | false>((resolve) =>
    listen(host, port, listenExclusively, resolve),
  );
  if (socket === false) throw await cannotListen(host, port);
  return uws.us_socket_local_port(socket);
}

/** Attaches the mock to a uWebSockets app. */
export function addRoutes(app: TemplatedApp, front: Front): void {
  const { router, limitConnections } = front;
  const { usage } = front.app;
  app.filter((res, change) => {
    const connections = usage.connections(change);
    if (change > 0 && connections > limitConnections) res.close();
  });
  const take = (method: string, res: HttpResponse, req: HttpRequest): void => {
    const route = router.find(
      method,
      req.getUrl(),
      req.getHeader('host'),
      req.getHeader('origin'),
      req.getHeader('content-type'),
    );
    if (route.kind === 'messages') takePost(front, route, null, res, req);
    else if (route.kind === 'mcp') takePost(front, route, postHeaders(req), res, req);
    else if (hostsOf(req) > 1) refuseHosts(res);
    else if (route.kind === 'stream' || route.kind === 'mcp-stream') openStream(front, route, res, req);
    else takePlain(front, route, res, req);
  };
  // Every question to uWebSockets costs: that a POST is a POST need not be asked.
  app.post('/*', (res, req) => take('post', res, req));
  app.any('/*', (res, req) => take(req.getMethod(), res, req));
}

// Which of two Hosts is meant, two readers of the same bytes may see differently. Of the POSTs of messages it is not asked: to
// look at every header would cost more than all else that is done with one. Who opens a stream writes their heads as well.
function hostsOf(req: HttpRequest): number {
  hosts = 0;
  req.forEach(countHost);
  return hosts;
}

let hosts = 0;
function countHost(name: string): void {
  if (name === 'host') hosts++;
}

function refuseHosts(res: HttpResponse): void {
  res.writeStatus('400 Bad Request').writeHeader('Content-Type', 'text/plain').end('two Host headers', true);
}

/** The headers of a POST to the Streamable HTTP endpoint: of those that belong to one era, only those of its own. */
function postHeaders(req: HttpRequest): McpHeaders {
  const headers = new McpHeaders();
  headers.accept = req.getHeader('accept');
  headers.protocolVersion = req.getHeader('mcp-protocol-version');
  if (headers.protocolVersion < firstStateless) headers.sessionId = req.getHeader('mcp-session-id');
  headers.method = req.getHeader('mcp-method');
  if (headers.method === '') return headers;
  headers.name = req.getHeader('mcp-name');
  return headers;
}

function streamHeaders(req: HttpRequest): McpHeaders {
  const headers = new McpHeaders();
  headers.accept = req.getHeader('accept');
  headers.protocolVersion = req.getHeader('mcp-protocol-version');
  headers.sessionId = req.getHeader('mcp-session-id');
  headers.lastEventId = req.getHeader('last-event-id');
  return headers;
}

function takePost(
  front: Front,
  route: Route,
  mcp: McpHeaders | null,
  res: HttpResponse,
  req: HttpRequest,
): void {
  const post = new UwsPost(res, front.app);
  const key = mcp === null ? sessionKeyOf(route, req.getQuery() ?? '') : undefined;
  if (mcp !== null && mcp.method === 'tools/call') addParams(mcp, front.app.streamable.paramHeaders, req);
  const { limitBytes } = front;
  const delayMs = mcp === null ? front.readDelayMs(route.site!, key) : front.mcpReadDelayMs(mcp);
  const take = (text: string, length: number): void => {
    if (mcp === null) front.receive(post, route, key, text, length);
    else front.receiveMcp(post, mcp, text, length);
  };
  const later = delayMs > 0 ? holdBack(post, delayMs) : null;
  let parts: Buffer[] | null = null;
  let bytes = 0;
  res.onAborted(() => post.aborted());
  res.onData((chunk, isLast) => {
    if (bytes < 0) return;
    bytes += chunk.byteLength;
    if (bytes > limitBytes) {
      bytes = -1;
      parts = null;
      front.refuseTooLarge(post, route);
    } else if (!isLast) {
      // uWebSockets takes its memory back after this callback.
      parts ??= [];
      parts.push(Buffer.from(new Uint8Array(chunk)));
    } else {
      const whole = parts === null ? Buffer.from(chunk) : Buffer.concat([...parts, Buffer.from(chunk)]);
      const text = whole.toString();
      if (later === null) take(text, bytes);
      else later(() => take(text, bytes));
    }
    if (isLast || bytes < 0) post.synchronous = false;
  });
}

/** Stops reading the socket for a while; what is to be done with the body waits as long. */
function holdBack(post: UwsPost, delayMs: number): (run: () => void) => void {
  let waiting: (() => void) | null = null;
  let over = false;
  post.res!.pause();
  setTimeout(() => {
    over = true;
    post.res?.resume();
    waiting?.();
  }, delayMs);
  return (run) => {
    if (over) run();
    else waiting = run;
  };
}

/** Asks for the headers that some tool wants its arguments in. */
function addParams(headers: McpHeaders, names: readonly string[], req: HttpRequest): void {
  for (const name of names) {
    const value = req.getHeader(`mcp-param-${name}`);
    if (value !== '') (headers.params ??= new Map()).set(name, value);
  }
}

class UwsPost implements BodyPost {
  /** Inside uWebSockets' own callback the socket is corked already. */
  synchronous = true;
  whenGone: (() => void) | undefined;
  private sink: UwsSink | null = null;

  constructor(
    public res: HttpResponse | null,
    private readonly clock: { nowNs(): number },
  ) {}

  begin(head: BodyHead, reader: BodyReader): StreamSink | null {
    const { res } = this;
    if (res === null) return null;
    this.res = null;
    const sink = (this.sink = new UwsSink(res, this.clock, head));
    sink.handle = reader;
    res.onWritable(() => sink.writable());
    return sink;
  }

  aborted(): void {
    this.res = null;
    this.sink?.aborted();
    this.whenGone?.();
  }

  answer(reply: HttpReply): number {
    const { res } = this;
    if (res === null) return 0;
    this.res = null;
    if (this.synchronous) writeReply(res, reply);
    else res.cork(() => writeReply(res, reply));
    return reply.status;
  }
}

function writeReply(res: HttpResponse, reply: HttpReply): void {
  res.writeStatus(reply.statusLine);
  if (reply.contentType !== '') res.writeHeader('Content-Type', reply.contentType);
  for (const [name, value] of reply.headers) res.writeHeader(name, value);
  if (reply.chunked && reply.body !== '') {
    res.write(reply.body);
    res.end();
  } else res.end(reply.body);
}

function takePlain(front: Front, route: Route, res: HttpResponse, req: HttpRequest): void {
  const post = new UwsPost(res, front.app);
  const head = req.getMethod() === 'head';
  res.onAborted(() => post.aborted());
  if (route.kind === 'mcp-end') {
    front.endMcp(post, streamHeaders(req));
    post.synchronous = false;
    return;
  }
  front.answerPlain(
    route,
    req.getQuery() ?? '',
    head ? { answer: (reply) => post.answer({ ...reply, body: '' }) } : post,
  );
  post.synchronous = false;
}

function openStream(front: Front, route: Route, res: HttpResponse, req: HttpRequest): void {
  const sink = new UwsSink(res, front.app);
  res.onAborted(() => sink.aborted());
  res.onWritable(() => sink.writable());
  sink.handle =
    route.kind === 'mcp-stream'
      ? front.openMcp(streamHeaders(req), sink)
      : front.open(route, req.getHeader('host'), sink);
}

class UwsSink implements StreamSink {
  handle: StreamHandle | null = null;
  private gone = false;
  private started = false;
  private blockedSinceNs = -1;
  /** What uWebSockets has not been given yet: of a large write it would not say when the last byte is out. */
  private readonly rest: Uint8Array[] = [];

  constructor(
    private readonly res: HttpResponse,
    private readonly clock: { nowNs(): number },
    private head: BodyHead = plainStreamHead,
  ) {}

  start(head: BodyHead): void {
    this.head = head;
    // uWebSockets ends a head only with the first byte of a body; to readers of events an empty line is nothing.
    if (!this.started) this.write('\n');
  }

  refuse(reply: HttpReply): void {
    if (this.gone) return;
    this.gone = true;
    this.res.cork(() => writeReply(this.res, reply));
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.gone) return true;
    const waits = this.rest.length > 0;
    if (!waits && chunk.length < 2 * pieceBytes) return this.hand(chunk);
    this.rest.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return !waits && this.handRest();
  }

  private hand(chunk: string | Uint8Array): boolean {
    corked.res = this.res;
    corked.chunk = chunk;
    corked.head = this.head;
    this.res.cork(this.started ? writeCorked : startCorked);
    this.started = true;
    if (!corked.flushed) this.blockedSinceNs = this.clock.nowNs();
    return corked.flushed;
  }

  /** Hands over piece by piece for as long as the reader keeps up. */
  private handRest(): boolean {
    const { rest } = this;
    let flushed = true;
    while (flushed && rest.length > 0) {
      const first = rest[0]!;
      const isLast = first.length < 2 * pieceBytes;
      flushed = this.hand(isLast ? first : first.subarray(0, pieceBytes));
      if (isLast) rest.shift();
      else rest[0] = first.subarray(pieceBytes);
    }
    return flushed;
  }

  end(last?: string): void {
    if (this.gone) return;
    this.gone = true;
    this.res.cork(() => {
      if (!this.started) writeHead(this.res, this.head);
      for (const bytes of this.rest) this.res.write(bytes);
      this.res.end(last);
    });
  }

  destroy(): void {
    if (!this.gone) this.res.close();
  }

  aborted(): void {
    this.gone = true;
    const stalled = this.blockedSinceNs >= 0 && this.clock.nowNs() - this.blockedSinceNs > stalledAfterNs;
    this.handle?.lost(stalled ? 'unread' : 'client');
  }

  writable(): boolean {
    this.blockedSinceNs = -1;
    if (this.gone) return true;
    // With a handler of ours for this event uWebSockets writes its own buffer only when something else is written too:
    // the end of a cork, even of an empty one, is such an occasion.
    this.res.cork(nothing);
    if (this.handRest()) this.handle?.drained();
    return true;
  }
}

// One closure for all corked writes: they are synchronous, so the arguments can lie here.
const corked: {
  res: HttpResponse | null;
  chunk: string | Uint8Array;
  head: BodyHead;
  flushed: boolean;
} = {
  res: null,
  chunk: '',
  head: plainStreamHead,
  flushed: true,
};
function writeCorked(): void {
  corked.flushed = corked.res!.write(corked.chunk);
}
function startCorked(): void {
  writeHead(corked.res!, corked.head);
  writeCorked();
}
function writeHead(res: HttpResponse, { contentType, headers }: BodyHead): void {
  res
    .writeStatus('200 OK')
    .writeHeader('Content-Type', contentType)
    .writeHeader('Cache-Control', 'no-cache')
    .writeHeader('Connection', 'keep-alive');
  for (const [name, value] of headers) res.writeHeader(name, value);
}
function nothing(): void {}
