import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type * as Uws from 'uWebSockets.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpResponseParser } from './http-response-parser.js';
import type { ResponseHeaders } from './http-response-parser.js';
import { SseParser } from './sse-parser.js';

interface Seen {
  status: number;
  headers: ResponseHeaders;
  body: string;
  keepAlive: boolean | undefined;
}

function collector() {
  const responses: Seen[] = [];
  const parser = new HttpResponseParser({
    onHead: (status, headers) => responses.push({ status, headers, body: '', keepAlive: undefined }),
    onBody: (chunk, start, end) => (responses.at(-1)!.body += chunk.toString('latin1', start, end)),
    onEnd: (keepAlive) => (responses.at(-1)!.keepAlive = keepAlive),
  });
  return { parser, responses };
}

/** Sends the requests in one write, reads until that many responses are complete, then does the same again from the bytes, one by one. */
async function exchange(port: number, requests: string, count: number): Promise<Seen[]> {
  const { parser, responses } = collector();
  const received: Buffer[] = [];
  let closed = false;
  const socket = connect(port, '127.0.0.1');
  socket.write(requests);
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      received.push(Buffer.from(chunk));
      parser.feed(chunk);
      if (responses.filter(({ keepAlive }) => keepAlive !== undefined).length === count) resolve();
    });
    socket.on('end', () => {
      closed = true;
      parser.end();
      resolve();
    });
    socket.on('error', reject);
  });
  socket.destroy();
  const again = collector();
  for (const byte of Buffer.concat(received)) again.parser.feed(Buffer.of(byte));
  if (closed) again.parser.end();
  const plain = (all: Seen[]) => all.map(({ headers, ...rest }) => ({ ...rest, date: headers.get('date') }));
  expect(plain(again.responses)).toEqual(plain(responses));
  expect(responses).toHaveLength(count);
  return responses;
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const large = 'abcdefgh'.repeat(24 * 1024);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('node:http', () => {
  const server = createServer((req, res) => void answer(req, res));
  let port = 0;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    switch (req.url) {
      case '/accepted':
        res.statusCode = 202;
        return void res.setHeader('Content-Type', 'text/plain').end('Accepted');
      case '/accepted-in-chunks':
        return void res.writeHead(202).end('Accepted');
      case '/empty':
        return void res.writeHead(202).end();
      case '/none':
        return void res.writeHead(204).end();
      case '/large':
        return void res.end(large);
      case '/last':
        return void res.writeHead(503, { Connection: 'close', 'Retry-After': '7' }).end('busy');
      case '/trailers':
        res.writeHead(200, { Trailer: 'X-After' });
        res.write('one');
        res.addTrailers({ 'X-After': 'all' });
        return void res.end('two');
    }
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (let i = 0; i < 20; i++) {
      res.write(`data: ${i}\n\n`);
      await turn();
    }
    res.end();
  }

  test('lengths, empty bodies and chunks, pipelined on one connection', async () => {
    const paths = ['/accepted', '/empty', '/stream', '/none', '/trailers', '/accepted-in-chunks'];
    const responses = await exchange(port, paths.map((path) => get(path)).join(''), paths.length);
    const stream = Array.from({ length: 20 }, (_, i) => `data: ${i}\n\n`).join('');
    expect(responses.map(({ status, body, keepAlive }) => [status, body, keepAlive])).toEqual([
      [202, 'Accepted', true],
      [202, '', true],
      [200, stream, true],
      [204, '', true],
      [200, 'onetwo', true],
      [202, 'Accepted', true],
    ]);
    expect(responses[0]!.headers).toMatchObject({ contentType: 'text/plain', chunked: false });
    expect(responses[2]!.headers).toMatchObject({ contentType: 'text/event-stream', chunked: true });
    expect(responses[5]!.headers).toMatchObject({ contentLength: -1, chunked: true });
    expect(responses[0]!.headers.get('keep-alive')).toBe('timeout=5');
  });

  test('a body until close, as HTTP/1.0 gets it', async () => {
    const [response] = await exchange(port, 'GET /stream HTTP/1.0\r\n\r\n', 1);
    expect(response!.headers).toMatchObject({ chunked: false, contentLength: -1, keepAlive: false });
    expect(response!.body).toMatch(/^data: 0\n\n(.|\n)*data: 19\n\n$/);
    expect(response!.keepAlive).toBe(false);
  });

  test('100 Continue before the answer', async () => {
    const [response] = await exchange(port, get('/accepted', 'Expect: 100-continue', 'Content-Length: 0'), 1);
    expect(response).toMatchObject({ status: 202, body: 'Accepted' });
  });

  test('a large body, and the end of a connection', async () => {
    const [first, second] = await exchange(port, get('/large') + get('/last'), 2);
    expect(first!.body === large).toBe(true);
    expect(second).toMatchObject({ status: 503, body: 'busy', keepAlive: false });
    expect(second!.headers.retryAfter).toBe('7');
  });

  test('a request it refuses', async () => {
    const [response] = await exchange(port, 'nonsense\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 400, keepAlive: false });
  });
});

const uws = await import('uWebSockets.js').catch(() => undefined);

describe.skipIf(uws === undefined)('uWebSockets', () => {
  const { App, us_listen_socket_close, us_socket_local_port } = uws ?? ({} as typeof Uws);
  let listening: Uws.us_listen_socket;
  let port = 0;
  /** Called when the client has seen an event, so that the next is sent only then. */
  let sendNext: () => void = () => undefined;

  beforeAll(async () => {
    const app = App()
      .post('/accepted', (res) => void res.writeStatus('202 Accepted').end('Accepted'))
      .post('/empty', (res) => void res.writeStatus('202 Accepted').end())
      .get('/none', (res) => void res.writeStatus('204 No Content').endWithoutBody())
      .get('/last', (res) => void res.end('bye', true))
      .get('/large', (res) => void res.end(large))
      .get('/stream', (res) => {
        let sent = 0;
        res.onAborted(() => (sendNext = () => undefined));
        res.writeHeader('Content-Type', 'text/event-stream').write('');
        sendNext = () => {
          if (sent === 5) res.cork(() => void res.end());
          else res.cork(() => void res.write(`event: message\ndata: {"n":${sent++}}\n\n`));
        };
        sendNext();
      });
    listening = await new Promise<Uws.us_listen_socket>((resolve, reject) =>
      app.listen('127.0.0.1', 0, (token) => (token ? resolve(token) : reject(new Error('cannot listen')))),
    );
    port = us_socket_local_port(listening);
  });

  afterAll(() => us_listen_socket_close(listening));

  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;

  test('its answers to POSTs, many in one write', async () => {
    const pairs = 200;
    const responses = await exchange(port, (post('/accepted') + post('/empty')).repeat(pairs), 2 * pairs);
    expect(new Set(responses.map(({ status, keepAlive }) => `${status} ${keepAlive}`))).toEqual(
      new Set(['202 true']),
    );
    expect(responses.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 * pairs }, (_, i) => (i % 2 ? '' : 'Accepted')),
    );
  });

  test('no body, a large body, the end of a connection', async () => {
    const responses = await exchange(port, get('/none') + get('/large') + get('/last'), 3);
    expect(responses.map(({ status, body, keepAlive }) => [status, body.length, keepAlive])).toEqual([
      [204, 0, true],
      [200, large.length, true],
      [200, 3, false],
    ]);
  });

  test('each event of a stream is there before the next is sent', async () => {
    const events: string[] = [];
    const sse = new SseParser({
      onEvent(event, buffer, start, end) {
        events.push(`${event} ${buffer.toString('utf8', start, end)}`);
        sendNext();
      },
    });
    const socket = connect(port, '127.0.0.1');
    const ended = new Promise<boolean>((resolve, reject) => {
      const parser = new HttpResponseParser({
        onHead: (status, headers) => expect([status, headers.chunked]).toEqual([200, true]),
        onBody: (chunk, start, end) => sse.feed(chunk, start, end),
        onEnd: resolve,
      });
      socket.on('data', (chunk) => parser.feed(chunk)).on('error', reject);
    });
    socket.write(get('/stream'));
    expect(await ended).toBe(true);
    socket.destroy();
    expect(events).toEqual([0, 1, 2, 3, 4].map((n) => `message {"n":${n}}`));
    expect(sse.end()).toBe(false);
  });

  test('its page for what it does not take', async () => {
    const [response] = await exchange(port, 'GET http://x/none HTTP/1.1\r\nHost: x\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 505, keepAlive: false });
    expect(response!.body).toContain('Not Supported');
  });
});

test('what our parser and the client of node:http read from the same bytes is the same', async () => {
  const texts = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: one\r\nX-A: two\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\ntransfer-ENCODING: chunked\r\n\r\n3;ext=1\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: x\r\n\r\n',
    'HTTP/1.1 404 Not here\r\nX-A:  padded \t\r\nConnection: close\r\n\r\nuntil the end',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.0 200 OK\r\n\r\nold',
    'HTTP/1.1 204 No Content\r\nX-A: \xe9\r\n\r\n',
  ];
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) =>
      socket.end(Buffer.from(texts[Number(/\d+/.exec(data.toString())![0])]!, 'latin1')),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [i, text] of texts.entries()) {
    const { parser, responses } = collector();
    parser.feed(Buffer.from(text, 'latin1'));
    parser.end();
    const req = request({ port, host: '127.0.0.1', path: `/${i}`, agent: false }).end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    let body = '';
    for await (const piece of res.setEncoding('latin1')) body += String(piece);
    const ours = responses[0]!;
    expect([ours.status, ours.body, ours.headers.get('X-A')]).toEqual([
      res.statusCode,
      body,
      res.headers['x-a'],
    ]);
  }
  server.close();
});
