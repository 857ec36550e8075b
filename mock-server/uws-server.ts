import type * as UwsModule from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { Failure } from '../src/failure.js';
import type { Engine, ListenOptions } from './engine.js';
import type { Front } from './front.js';
import type { HttpReply } from './http-reply.js';
import type { Post } from './post.js';
import { sessionKeyOf } from './router.js';
import type { Route } from './router.js';
import { Stream } from './stream.js';
import type { StreamSink } from './stream.js';

type Uws = typeof UwsModule;

const listenExclusively = 1;
/** uWebSockets gives up on a reader that took nothing for about ten seconds. */
const stalledAfterNs = 9e9;

/** Loads uWebSockets.js, or returns the reason why this platform has none. */
export async function loadUws(): Promise<Uws | Error> {
  try {
    return await import('uWebSockets.js');
  } catch (error) {
    return error as Error;
  }
}

/** Serves a mock with uWebSockets. */
export async function serveUws(uws: Uws, front: Front, { host, port }: ListenOptions): Promise<Engine> {
  const app = uws.App();
  addRoutes(app, front);
  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    // The type declarations know only two of the four arguments at a time.
    const listen = app.listen.bind(app) as unknown as (
      host: string,
      port: number,
      options: number,
      done: (socket: us_listen_socket | false) => void,
    ) => void;
    listen(host, port, listenExclusively, resolve);
  });
  if (socket === false)
    throw new Failure(`cannot listen on ${host}:${port}: the port is in use or not allowed; try --port 0`);
  return {
    name: 'uws',
    port: uws.us_socket_local_port(socket),
    close: async () => {
      // What has just been written to streams must leave before all sockets are closed.
      await new Promise((resolve) => setImmediate(resolve));
      app.close();
    },
  };
}

/** Attaches the mock to a uWebSockets app. */
export function addRoutes(app: TemplatedApp, front: Front): void {
  const { router } = front;
  app.any('/*', (res, req) => {
    const route = router.find(
      req.getMethod(),
      req.getUrl(),
      req.getHeader('host'),
      req.getHeader('origin'),
      req.getHeader('content-type'),
    );
    if (route.kind === 'messages') takePost(front, route, res, req);
    else if (route.kind === 'stream') openStream(front, route, res, req);
    else takePlain(front, route, res, req);
  });
}

function takePost(front: Front, route: Route, res: HttpResponse, req: HttpRequest): void {
  const post = new UwsPost(res);
  const key = sessionKeyOf(route, req.getQuery() ?? '');
  const limitBytes = front.app.config.limits.bodyBytes;
  let parts: Buffer[] | null = null;
  let bytes = 0;
  res.onAborted(() => {
    post.res = null;
  });
  res.onData((chunk, isLast) => {
    if (bytes < 0) return;
    bytes += chunk.byteLength;
    if (bytes > limitBytes) {
      bytes = -1;
      parts = null;
      front.app.refuse(post, route.site!.refuse('tooLarge'));
      return;
    }
    const piece = Buffer.from(chunk);
    if (isLast && parts === null) {
      front.app.receive(post, route, key, piece.toString(), bytes);
      post.synchronous = false;
    } else {
      // uWebSockets takes its memory back after this callback.
      parts ??= [];
      parts.push(Buffer.from(piece));
      if (isLast) front.app.receive(post, route, key, Buffer.concat(parts).toString(), bytes);
      post.synchronous = false;
    }
  });
}

class UwsPost implements Post {
  /** Inside uWebSockets' own callback the socket is corked already. */
  synchronous = true;

  constructor(public res: HttpResponse | null) {}

  answer(reply: HttpReply): boolean {
    const { res } = this;
    if (res === null) return false;
    this.res = null;
    if (this.synchronous) writeReply(res, reply);
    else res.cork(() => writeReply(res, reply));
    return true;
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
  const post = new UwsPost(res);
  const head = req.getMethod() === 'head';
  res.onAborted(() => {
    post.res = null;
  });
  front.answerPlain(
    route,
    req.getQuery() ?? '',
    head ? { answer: (reply) => post.answer({ ...reply, body: '' }) } : post,
  );
  post.synchronous = false;
}

function openStream(front: Front, route: Route, res: HttpResponse, req: HttpRequest): void {
  const sink = new UwsSink(res, front);
  res.onAborted(() => sink.aborted());
  res.onWritable(() => sink.writable());
  const opened = front.app.open(route, req.getHeader('host'), sink);
  if (opened instanceof Stream) sink.opened(opened);
  else writeReply(res, opened);
}

class UwsSink implements StreamSink {
  private stream: Stream | null = null;
  private gone = false;
  private started = false;
  private blockedSinceNs = 0;

  constructor(
    private readonly res: HttpResponse,
    private readonly front: Front,
  ) {}

  opened(stream: Stream): void {
    this.stream = stream;
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.gone) return true;
    if (!this.started) return this.start(chunk);
    corked.res = this.res;
    corked.chunk = chunk;
    this.res.cork(writeCorked);
    if (!corked.flushed) this.blockedSinceNs = this.front.app.nowNs();
    return corked.flushed;
  }

  end(): void {
    if (this.gone) return;
    this.gone = true;
    this.res.cork(() => this.res.end());
  }

  destroy(): void {
    if (!this.gone) this.res.close();
  }

  aborted(): void {
    this.gone = true;
    if (this.stream === null) return;
    const stalled = this.stream.blocked && this.front.app.nowNs() - this.blockedSinceNs > stalledAfterNs;
    this.front.app.closed(this.stream, stalled ? 'unread' : 'client');
  }

  writable(): boolean {
    if (this.stream !== null && !this.gone) this.front.app.streams.drained(this.stream);
    return true;
  }

  // The first write happens inside uWebSockets' own callback, where the socket is corked.
  private start(chunk: string | Uint8Array): boolean {
    this.started = true;
    this.res
      .writeStatus('200 OK')
      .writeHeader('Content-Type', 'text/event-stream')
      .writeHeader('Cache-Control', 'no-cache')
      .writeHeader('Connection', 'keep-alive');
    return this.res.write(chunk);
  }
}

// One closure for all corked writes: they are synchronous, so the arguments can lie here.
const corked: { res: HttpResponse | null; chunk: string | Uint8Array; flushed: boolean } = {
  res: null,
  chunk: '',
  flushed: true,
};
function writeCorked(): void {
  corked.flushed = corked.res!.write(corked.chunk);
}
