import { describe, expect, test } from 'vitest';
import { cut, parse } from './request-parser.fixture.js';
import type { SeenRequest } from './request-parser.fixture.js';
import { mostHeadBytes, RequestParser } from './request-parser.js';

const crlf = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');
const host = 'Host: h';
const plain: Omit<SeenRequest, 'method' | 'path'> = {
  query: '',
  minor: 1,
  host: 'h',
  origin: '',
  contentType: '',
  chunked: false,
  contentLength: 0,
  keepAlive: true,
  expectsContinue: false,
  body: '',
};

const accepted: Record<string, [bytes: string, requests: Partial<SeenRequest>[]]> = {
  'a GET': [crlf('GET /sse HTTP/1.1', host, ''), [{ method: 'GET', path: '/sse' }]],
  'a query, of which the second question mark is a part': [
    crlf('GET /a?b=c?d HTTP/1.1', host, ''),
    [{ method: 'GET', path: '/a', query: 'b=c?d' }],
  ],
  'a POST with all that the mock asks for': [
    crlf(
      'POST /messages?sessionId=1 HTTP/1.1',
      'host:localhost:8765 ',
      'ORIGIN:\thttp://localhost\t ',
      'content-Type: application/json; charset=utf-8',
      'X-Other: \xe4 "," ; =',
      'X-Empty:',
      'Content-length: 2',
      '',
    ) + '{}',
    [
      {
        method: 'POST',
        path: '/messages',
        query: 'sessionId=1',
        host: 'localhost:8765',
        origin: 'http://localhost',
        contentType: 'application/json; charset=utf-8',
        contentLength: 2,
        body: '{}',
      },
    ],
  ],
  'several requests in a row, with the same head and with others': [
    `${crlf('POST /a HTTP/1.1', host, 'Content-Length: 3', '')}abc`.repeat(2) +
      crlf('GET /b HTTP/1.1', host, '') +
      `${crlf('POST /a HTTP/1.1', host, 'Content-Length: 4', '')}defg`,
    [
      { method: 'POST', path: '/a', contentLength: 3, body: 'abc' },
      { method: 'POST', path: '/a', contentLength: 3, body: 'abc' },
      { method: 'GET', path: '/b' },
      { method: 'POST', path: '/a', contentLength: 4, body: 'defg' },
    ],
  ],
  'chunks, with extensions and trailers': [
    crlf('POST /a HTTP/1.1', host, 'Transfer-Encoding: Chunked', '') +
      crlf('3', 'abc', '00a;name="v";x', '0123456789', '0;last', 'X-Sum: 1', 'X-Empty:', '') +
      crlf('GET /b HTTP/1.1', host, ''),
    [
      { method: 'POST', path: '/a', chunked: true, body: 'abc0123456789' },
      { method: 'GET', path: '/b' },
    ],
  ],
  'no chunk but the last': [
    crlf('POST /a HTTP/1.1', host, 'Transfer-Encoding: chunked', '', '0', ''),
    [{ method: 'POST', path: '/a', chunked: true }],
  ],
  'a length of zero, and one with leading zeros': [
    crlf('POST /a HTTP/1.1', host, 'Content-Length: 0', '') +
      crlf('POST /a HTTP/1.1', host, 'Content-Length: 0002', '') +
      'xy',
    [
      { method: 'POST', path: '/a' },
      { method: 'POST', path: '/a', contentLength: 2, body: 'xy' },
    ],
  ],
  'Connection: close': [
    crlf('GET / HTTP/1.1', host, 'Connection: x, CLOSE', ''),
    [{ method: 'GET', path: '/', keepAlive: false }],
  ],
  'Connection in two lines': [
    crlf('GET / HTTP/1.1', host, 'Connection: keep-alive', 'Connection: close', ''),
    [{ method: 'GET', path: '/', keepAlive: false }],
  ],
  'HTTP/1.0, which needs no Host and does not stay': [
    crlf('GET / HTTP/1.0', ''),
    [{ method: 'GET', path: '/', minor: 0, host: '', keepAlive: false }],
  ],
  'HTTP/1.0 that is to stay': [
    crlf('GET / HTTP/1.0', 'Connection: Keep-Alive', ''),
    [{ method: 'GET', path: '/', minor: 0, host: '', keepAlive: true }],
  ],
  'an expectation': [
    `${crlf('POST / HTTP/1.1', host, 'Expect: 100-Continue', 'Content-Length: 1', '')}x`,
    [{ method: 'POST', path: '/', expectsContinue: true, contentLength: 1, body: 'x' }],
  ],
  'an expectation with nothing to wait for, and one in HTTP/1.0, which knows none': [
    crlf('GET / HTTP/1.1', host, 'Expect: 100-continue', '') +
      `${crlf('POST / HTTP/1.0', host, 'Expect: tea', 'Connection: keep-alive', 'Content-Length: 1', '')}x`,
    [
      { method: 'GET', path: '/' },
      { method: 'POST', path: '/', minor: 0, contentLength: 1, body: 'x' },
    ],
  ],
  'one empty line before a request': [
    `\r\n${crlf('GET /a HTTP/1.1', host, '')}\r\n${crlf('GET /b HTTP/1.1', host, '')}`,
    [
      { method: 'GET', path: '/a' },
      { method: 'GET', path: '/b' },
    ],
  ],
  'an empty Host, which is for the router to refuse': [
    crlf('GET / HTTP/1.1', 'Host:', ''),
    [{ method: 'GET', path: '/', host: '' }],
  ],
  'OPTIONS of the whole server': [crlf('OPTIONS * HTTP/1.1', host, ''), [{ method: 'OPTIONS', path: '*' }]],
  'a method that nobody knows': [
    crlf("a!#$%&'*+ / HTTP/1.1", host, ''),
    [{ method: "a!#$%&'*+", path: '/' }],
  ],
};

describe.each(Object.entries(accepted))('%s', (_, [text, requests]) => {
  const bytes = Buffer.from(text, 'latin1');
  const expected = {
    requests: requests.map((request) => ({ ...plain, ...request })),
    begun: 0,
    refused: 0,
    idle: true,
  };

  test('is read in one piece, byte by byte, and cut at every byte', () => {
    expect(parse([bytes])).toEqual(expected);
    expect(parse([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
    for (let at = 1; at < bytes.length; at++) expect(parse(cut(bytes, [at]))).toEqual(expected);
  });

  test('is read whenever it is stopped', () => {
    expect(parse([bytes], () => true)).toEqual(expected);
    for (let at = 1; at < bytes.length; at++) expect(parse(cut(bytes, [at]), () => true)).toEqual(expected);
  });
});

const chunked = (...lines: string[]): string =>
  crlf('POST / HTTP/1.1', host, 'Transfer-Encoding: chunked', '') + lines.join('');
const get = (...headers: string[]): string => crlf('GET / HTTP/1.1', host, ...headers, '');
const post = (...headers: string[]): string => crlf('POST / HTTP/1.1', host, ...headers, '');

// What one reader takes for one thing and the next for another, so that a request can be hidden in it; and what is no HTTP.
const refused: [name: string, bytes: string, status?: number][] = [
  ['two lengths', `${post('Content-Length: 1', 'Content-Length: 2')}ab`],
  ['two lengths that agree', `${post('Content-Length: 1', 'Content-Length: 1')}a`],
  ['a list of lengths', `${post('Content-Length: 1, 1')}a`],
  ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}${crlf('0', '')}`],
  ['chunks and a length', `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}${crlf('0', '')}`],
  ['a length with a sign', `${post('Content-Length: +1')}a`],
  ['a negative length', post('Content-Length: -1')],
  ['a hexadecimal length', `${post('Content-Length: 0x1')}a`],
  ['a length with a blank in it', `${post('Content-Length: 1 1')}${'a'.repeat(11)}`],
  ['an empty length', post('Content-Length:')],
  ['a length beyond all numbers', post(`Content-Length: ${'9'.repeat(16)}`)],
  ['chunks twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}${crlf('0', '')}`],
  ['chunks of chunks', `${post('Transfer-Encoding: chunked, chunked')}${crlf('0', '')}`, 501],
  ['a coding that we do not have', `${post('Transfer-Encoding: gzip, chunked')}${crlf('0', '')}`, 501],
  ['chunks that are not the last coding', `${post('Transfer-Encoding: chunked, identity')}x`, 501],
  ['a coding in disguise', `${post('Transfer-Encoding: \x0bchunked')}${crlf('0', '')}`],
  ['an empty coding', post('Transfer-Encoding:'), 501],
  ['chunks in HTTP/1.0', crlf('POST / HTTP/1.0', 'Transfer-Encoding: chunked', '', '0', '')],
  ['two Hosts', get('Host: other')],
  ['two Hosts that agree', get(host)],
  ['no Host', crlf('GET / HTTP/1.1', '')],
  ['a Host with a blank', crlf('GET / HTTP/1.1', 'Host: a b', '')],
  ['a list of Hosts', crlf('GET / HTTP/1.1', 'Host: a@b', '')],
  ['a Host with a path', crlf('GET / HTTP/1.1', 'Host: a/b', '')],
  ['a Host beyond ASCII', crlf('GET / HTTP/1.1', 'Host: \xe4', '')],
  ['two Origins', get('Origin: http://a', 'Origin: http://b')],
  ['two content types', post('Content-Type: application/json', 'Content-Type: text/plain')],
  ['a header that goes on in the next line', get('X: a', ' b')],
  ['one that goes on after a tab', get('X: a', '\tb')],
  ['a first header line that begins with a blank', crlf('GET / HTTP/1.1', ' Host: h', '')],
  ['a blank before the colon', get('X : a')],
  ['a tab before the colon', get('X\t: a')],
  ['a blank in a name', get('X Y: a')],
  ['a header without a name', get(': a')],
  ['a header without a colon', get('X')],
  ['a name beyond ASCII', get('X\xe4: a')],
  ['a bare LF after a header', `GET / HTTP/1.1\r\n${host}\n\r\n`],
  ['a bare CR in a header', get('X: a\rb')],
  ['a bare CR after the headers', `GET / HTTP/1.1\r\n${host}\r\n\rx`],
  ['a bare LF after the headers', `GET / HTTP/1.1\r\n${host}\r\n\n`],
  ['bare LFs throughout', `GET / HTTP/1.1\n${host}\n\n`],
  ['a bare CR after the first line', `GET / HTTP/1.1\r${host}\r\n\r\n`],
  ['a NUL in a header', get('X: a\0b')],
  ['a DEL in a header', get('X: a\x7fb')],
  ['a NUL in a name', get('X\0: a')],
  ['a control character in the target', crlf('GET /\x01 HTTP/1.1', host, '')],
  ['a tab for a blank', crlf('GET\t/ HTTP/1.1', host, '')],
  ['a target beyond ASCII', crlf('GET /\xe4 HTTP/1.1', host, '')],
  ['a fragment', crlf('GET /a#b HTTP/1.1', host, '')],
  ['a whole URL as the target', crlf('GET http://h/ HTTP/1.1', host, '')],
  ['a host as the target', crlf('CONNECT h:80 HTTP/1.1', host, '')],
  ['a star for another method', crlf('GET * HTTP/1.1', host, '')],
  ['no target', crlf('GET  HTTP/1.1', host, '')],
  ['two blanks before the target', crlf('GET  / HTTP/1.1', host, '')],
  ['two blanks before the version', crlf('GET /  HTTP/1.1', host, '')],
  ['a blank after the version', crlf('GET / HTTP/1.1 ', host, '')],
  ['no version', crlf('GET /', host, '')],
  ['a version in small letters', crlf('GET / http/1.1', host, '')],
  ['another protocol', crlf('GET / ICAP/1.1', host, '')],
  ['a version of two digits', crlf('GET / HTTP/1.10', host, '')],
  ['HTTP/2', crlf('GET / HTTP/2.0', host, ''), 505],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['HTTP/1.2', crlf('GET / HTTP/1.2', host, ''), 505],
  ['HTTP/0.9', crlf('GET / HTTP/0.9', ''), 505],
  ['two empty lines before a request', `\r\n${get()}`.replace('\r\n', '\r\n\r\n')],
  ['a bare LF before a request', `\n${get()}`],
  ['a bare CR before a request', `\r${get()}`],
  ['a blank before the method', ` ${get()}`],
  ['a method with a colon', crlf('G:T / HTTP/1.1', host, '')],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['another expectation', `${post('Expect: tea', 'Content-Length: 1')}x`, 417],
  ['a huge head', get(`X: ${'x'.repeat(mostHeadBytes)}`), 431],
  ['a huge target', crlf(`GET /${'x'.repeat(mostHeadBytes)} HTTP/1.1`, host, ''), 431],
  ['many headers', get(...Array<string>(3000).fill('X: y')), 431],
  ['a chunk without a size', chunked('\r\n')],
  ['a chunk size that is none', chunked('g\r\n')],
  ['a chunk size with a sign', chunked('-1\r\n')],
  ['a chunk size with a prefix', chunked('0x1\r\na\r\n0\r\n\r\n')],
  ['a chunk size with a blank before it', chunked(' 1\r\na\r\n0\r\n\r\n')],
  ['a chunk size with a blank after it', chunked('1 \r\na\r\n0\r\n\r\n')],
  ['a chunk size beyond all numbers', chunked('100000000\r\n')],
  ['a chunk size that overflows', chunked(`${'f'.repeat(17)}\r\n`)],
  ['a bare LF after a chunk size', chunked('1\na\r\n0\r\n\r\n')],
  ['a bare CR after a chunk size', chunked('1\rXa\r\n0\r\n\r\n')],
  ['a bare LF after a chunk extension', chunked('1;x\na\r\n0\r\n\r\n')],
  ['a control character in a chunk extension', chunked('1;\0\r\na\r\n0\r\n\r\n')],
  ['a chunk that is longer than its size', chunked('1\r\nab\r\n0\r\n\r\n')],
  ['a chunk that ends in a bare LF', chunked('1\r\na\n0\r\n\r\n')],
  ['a chunk that ends in a bare CR', chunked('1\r\na\rX0\r\n\r\n')],
  ['endless extensions', chunked(`1;${'x'.repeat(70_000)}\r\n`)],
  ['endless trailers', chunked(`0\r\n${'X: y\r\n'.repeat(12_000)}\r\n`)],
  ['a trailer that goes on', chunked('0\r\nX: a\r\n b\r\n\r\n')],
  ['a trailer without a colon', chunked('0\r\nX\r\n\r\n')],
  ['a trailer with a blank before its colon', chunked('0\r\nX : a\r\n\r\n')],
  ['a trailer without a name', chunked('0\r\n: a\r\n\r\n')],
  ['a bare LF after a trailer', chunked('0\r\nX: a\n\r\n')],
  ['a bare CR in a trailer', chunked('0\r\nX: a\rb\r\n\r\n')],
  ['a bare CR after the trailers', chunked('0\r\n\rX')],
  ['a bare LF after the last chunk', chunked('0\r\n\n')],
];

describe('what is refused', () => {
  test.each(refused)('%s', (_, text, status = 400) => {
    const good = crlf('GET /good HTTP/1.1', host, '');
    const bytes = Buffer.from(good + text, 'latin1');
    const seen = parse([bytes]);
    expect(seen).toMatchObject({ refused: status, idle: false });
    // What came before it is good; of itself nothing is taken for a request.
    expect(seen.requests.map(({ path }) => path)).toEqual(['/good']);
    // A huge one at some places: each cut reads it all.
    const step = Math.max(1, Math.floor(bytes.length / 500));
    for (let at = 1; at < bytes.length; at += step) expect(parse(cut(bytes, [at]))).toEqual(seen);
    if (bytes.length < 1000) expect(parse([...bytes].map((byte) => Buffer.of(byte)))).toEqual(seen);
  });

  test('is refused ever after', () => {
    const parser = new RequestParser({ onHead: () => {}, onBody: () => {}, onEnd: () => {} });
    expect(() => parser.feed(Buffer.from('\0'))).toThrow('begin with a method');
    expect(() => parser.feed(Buffer.from(get()))).toThrow('begin with a method');
  });
});

test('a head of exactly the limit is read, in one piece and in two', () => {
  const text = get(`X: ${'x'.repeat(mostHeadBytes - get('X: ').length)}`);
  const bytes = Buffer.from(text + text);
  expect(text).toHaveLength(mostHeadBytes);
  for (const pieces of [
    [bytes],
    cut(bytes, [100]),
    cut(bytes, [mostHeadBytes - 1]),
    cut(bytes, [mostHeadBytes + 1]),
  ])
    expect(parse(pieces)).toMatchObject({ refused: 0, idle: true, requests: [{ path: '/' }, { path: '/' }] });
});

test('half a request is not idle, and nothing is reported of half a head', () => {
  const bytes = Buffer.from(post('Content-Length: 3'));
  for (let at = 1; at < bytes.length; at++)
    expect(parse([bytes.subarray(0, at)])).toEqual({ requests: [], begun: 0, refused: 0, idle: false });
  expect(parse([bytes])).toEqual({ requests: [], begun: 1, refused: 0, idle: false });
});
