import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../src/failure.js';
import type { Engine, ListenOptions } from './engine.js';
import type { Front } from './front.js';
import type { HttpReply } from './http-reply.js';
import type { Post } from './post.js';
import { sessionKeyOf } from './router.js';
import type { Route } from './router.js';
import { Stream } from './stream.js';
import type { StreamSink } from './stream.js';

const idleKeepAliveMs = 10_000;
const stalledAfterMs = 10_000;

/** Serves a mock with node:http: slower than uWebSockets, and there on every platform. */
export async function serveNode(front: Front, { host, port }: ListenOptions): Promise<Engine> {
  const server = createServer({ keepAliveTimeout: idleKeepAliveMs, noDelay: true }, (req, res) =>
    take(front, req, res),
  );
  server.maxConnections = front.app.config.limits.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Failure(
          `cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'the port is in use' : error.message}; try --port 0`,
        ),
      ),
    );
    server.listen({ host, port, exclusive: true }, resolve);
  });
  return {
    name: 'node',
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // What has just been written to streams must leave before all sockets are closed.
        setImmediate(() => server.closeAllConnections());
      }),
  };
}

function take(front: Front, req: IncomingMessage, res: ServerResponse): void {
  const [path, query] = splitUrl(req.url ?? '/');
  const { host = '', origin = '', 'content-type': contentType = '' } = req.headers;
  const route = front.router.find(req.method!.toLowerCase(), path, host, origin, contentType);
  if (route.kind === 'messages') return takePost(front, route, query, req, res);
  req.resume();
  if (route.kind === 'stream') return openStream(front, route, host, res);
  const post = new NodePost(res);
  front.answerPlain(route, query, post);
}

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function takePost(
  front: Front,
  route: Route,
  query: string,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const post = new NodePost(res);
  const limitBytes = front.app.config.limits.bodyBytes;
  let parts: Buffer[] = [];
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    if (bytes < 0) return;
    bytes += chunk.length;
    parts.push(chunk);
    if (bytes <= limitBytes) return;
    bytes = -1;
    parts = [];
    front.app.refuse(post, route.site!.refuse('tooLarge'));
  });
  req.on('end', () => {
    if (bytes < 0) return;
    front.app.receive(post, route, sessionKeyOf(route, query), Buffer.concat(parts).toString(), bytes);
  });
}

class NodePost implements Post {
  constructor(private readonly res: ServerResponse) {}

  answer(reply: HttpReply): boolean {
    if (this.res.destroyed || this.res.headersSent) return false;
    const headers: Record<string, string | number> = Object.fromEntries(reply.headers);
    if (reply.contentType !== '') headers['Content-Type'] = reply.contentType;
    if (!reply.chunked) headers['Content-Length'] = Buffer.byteLength(reply.body);
    this.res.writeHead(reply.status, headers);
    if (reply.chunked) this.res.write(reply.body);
    this.res.end(reply.chunked ? undefined : reply.body);
    return true;
  }
}

function openStream(front: Front, route: Route, host: string, res: ServerResponse): void {
  const sink = new NodeSink(res);
  const opened = front.app.open(route, host, sink);
  if (!(opened instanceof Stream)) {
    new NodePost(res).answer(opened);
    return;
  }
  res.on('drain', () => {
    res.socket?.setTimeout(0);
    front.app.streams.drained(opened);
  });
  res.on('timeout', () => {
    front.app.closed(opened, 'unread');
    res.destroy();
  });
  res.on('close', () => front.app.closed(opened, 'client'));
}

class NodeSink implements StreamSink {
  constructor(private readonly res: ServerResponse) {}

  write(chunk: string | Uint8Array): boolean {
    const { res } = this;
    if (res.destroyed) return true;
    if (!res.headersSent) {
      res.socket?.setTimeout(0);
      res.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache',
        Connection: 'keep-alive',
      });
    }
    if (res.write(chunk)) return true;
    res.socket?.setTimeout(stalledAfterMs);
    return false;
  }

  end(): void {
    this.res.end();
  }

  destroy(): void {
    this.res.destroy();
  }
}
