import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cannotListen } from './cannot-listen.js';
import type { Engine, ListenOptions } from './engine.js';
import type { Front } from './front.js';
import type { HttpReply } from './http-reply.js';
import type { Post } from './post.js';
import { sessionKeyOf } from './router.js';
import type { Route } from './router.js';
import type { StreamSink } from './stream.js';

// As uWebSockets has them, near enough: who sends nothing, or half a request, does not hold a connection for long.
const timeouts = {
  keepAliveTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};
const stalledAfterMs = 10_000;

/** Serves a mock with node:http: slower than uWebSockets, and there on every platform. */
export async function serveNode(front: Front, { host, port }: ListenOptions): Promise<Engine> {
  const server = createServer(timeouts, (req, res) => take(front, req, res));
  server.maxConnections = front.limitConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      void cannotListen(host, port, error.code ?? error.message).then(reject);
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
  return {
    name: 'node',
    port: (server.address() as AddressInfo).port,
    close: (reason) =>
      new Promise((resolve) => {
        front.app.close(reason);
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
  const key = sessionKeyOf(route, query);
  const delayMs = front.readDelayMs(route.site!, key);
  let parts: Buffer[] = [];
  let bytes = 0;
  const read = (): void => {
    req.on('data', (chunk: Buffer) => {
      if (bytes < 0) return;
      bytes += chunk.length;
      parts.push(chunk);
      if (bytes <= front.limitBytes) return;
      bytes = -1;
      parts = [];
      front.refuseTooLarge(post, route);
    });
    req.on('end', () => {
      if (bytes >= 0) front.receive(post, route, key, Buffer.concat(parts).toString(), bytes);
    });
  };
  if (delayMs > 0) setTimeout(read, delayMs);
  else read();
}

class NodePost implements Post {
  constructor(private readonly res: ServerResponse) {}

  answer(reply: HttpReply): number {
    if (this.res.destroyed || this.res.headersSent) return 0;
    const headers: Record<string, string | number> = Object.fromEntries(reply.headers);
    if (reply.contentType !== '') headers['Content-Type'] = reply.contentType;
    if (!reply.chunked) headers['Content-Length'] = Buffer.byteLength(reply.body);
    this.res.writeHead(reply.status, headers);
    if (reply.chunked) this.res.write(reply.body);
    this.res.end(reply.chunked ? undefined : reply.body);
    return reply.status;
  }
}

function openStream(front: Front, route: Route, host: string, res: ServerResponse): void {
  const handle = front.open(route, host, new NodeSink(res));
  if (handle === null) return;
  res.on('drain', () => {
    res.socket?.setTimeout(0);
    handle.drained();
  });
  res.on('timeout', () => {
    handle.lost('unread');
    res.destroy();
  });
  res.on('close', () => handle.lost('client'));
}

class NodeSink implements StreamSink {
  constructor(private readonly res: ServerResponse) {}

  refuse(reply: HttpReply): void {
    new NodePost(this.res).answer(reply);
  }

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
    // What was written in this turn leaves at its end.
    setImmediate(() => this.res.destroy());
  }
}
