import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { otlpReport } from '../../report/run/otlp.js';
import { results } from '../../report/run/results.fixture.js';
import { parseOtlpFlag } from '../flags/otlp-flag.js';
import { sendOtlp } from './send-otlp.js';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A receiver on loopback that answers everything alike and keeps what it got. */
async function receiver(status: number, answer: string): Promise<{ base: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

test('the metrics of a run arrive, with the headers of the environment', async () => {
  const { base, received } = await receiver(200, '{"partialSuccess":{}}');
  const result = results.hostile!();
  const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope=7=7' };
  expect(await sendOtlp(result, parseOtlpFlag(base, environment)!)).toBeNull();
  expect(received).toMatchObject([
    {
      method: 'POST',
      url: '/v1/metrics',
      headers: { authorization: 'Basic YTpi', 'x-scope': '7=7', 'content-type': 'application/json' },
      body: otlpReport(result),
    },
  ]);
});

test.each([
  [503, 'busy,\ncome back', /answered 503: busy, come back$/],
  [400, '', /answered 400$/],
  [302, '', /answered 302$|redirect/],
  [
    200,
    '{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"too old"}}',
    /3 data points down: too old$/,
  ],
  [200, '{"partialSuccess":{"rejectedDataPoints":3,"errorMessage":{"a":5}}}', /3 data points down$/],
  [200, `{"partialSuccess":${'['.repeat(50_000)}`, /^$/],
])('what a receiver says with %i is one line: %j', async (status, answer, expected) => {
  const { base } = await receiver(status, answer);
  const said = (await sendOtlp(results.happy!(), parseOtlpFlag(base)!)) ?? '';
  expect(said).toMatch(expected);
  expect(said).not.toContain('\n');
});

const megabyte = Buffer.alloc(1024 * 1024, 'x');

/** Says the same over and over, for as long as somebody is there. */
function without(end: ServerResponse): void {
  const more = (): void => {
    let goesOn = !end.destroyed;
    while (goesOn) goesOn = end.write(megabyte);
    end.once('drain', more);
  };
  more();
}

test.each<[string, (answer: ServerResponse) => void]>([
  ['without an end', (answer) => void without(answer.writeHead(403))],
  [
    'of 50 KB that are 50 MB unpacked',
    (answer) =>
      void answer.writeHead(403, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50e6, 'x'))),
  ],
])('of an answer %s only the beginning is read', async (_, say) => {
  let written = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => say(response));
    request.socket.on('close', () => (written = request.socket.bytesWritten));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const before = process.memoryUsage().rss;
  const said = await sendOtlp(results.happy!(), parseOtlpFlag(`http://127.0.0.1:${port}`)!);
  expect(said).toMatch(/answered 403: x{200}…$/);
  expect(process.memoryUsage().rss - before).toBeLessThan(40e6);
  await new Promise((resolve) => server.close(resolve));
  // What the sockets of both sides hold.
  expect(written).toBeLessThan(40e6);
});

test('a receiver that is not there is one line, too', async () => {
  const { base } = await receiver(200, '');
  await new Promise((resolve) => servers.pop()!.close(resolve));
  expect(await sendOtlp(results.happy!(), parseOtlpFlag(base)!)).toMatch(/ECONNREFUSED/);
});

test('a path that is given stays, and nothing asked for is nothing', () => {
  expect(parseOtlpFlag('http://h:1/otlp/v1/metrics?x=1', {})?.url).toBe('http://h:1/otlp/v1/metrics?x=1');
  expect(parseOtlpFlag(undefined, {})).toBeNull();
});

test.each(['nowhere', 'ftp://h/', 'localhost:4318', 'http://me:secret@h/'])('%s is no receiver', (url) => {
  expect(() => parseOtlpFlag(url, {})).toThrow(/^--otlp: /);
});

test.each(['novalue', 'a=%zz', 'a=%0d%0ab', '=x'])('headers are checked: %s', (text) => {
  expect(() => parseOtlpFlag('http://h', { OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(/^OTEL_/);
});
