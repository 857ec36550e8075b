import { createServer, METHODS } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, parse } from './request-parser.fixture.js';

const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/);
const path = fc.stringMatching(/^\/[!-"$->@-~]{0,20}$/);
const value = fc.stringMatching(/^([!-~\u00a0-\u00ff]([ \t!-~\u00a0-\u00ff]{0,20}[!-~\u00a0-\u00ff])?)?$/);
const header = fc
  .tuple(token, value)
  .filter(
    ([name]) =>
      !/^(host|origin|expect|connection|content-type|content-length|transfer-encoding|upgrade)$/i.test(name),
  );
const body = fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), { maxLength: 4 });
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path,
  headers: fc.array(header, { maxLength: 4 }),
  blank: fc.constantFrom('', ' ', '\t '),
  pieces: body,
  chunked: fc.boolean(),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

function write({ method, path: target, headers, blank, pieces, chunked }: Request): string {
  const lines = [
    ...headers,
    ['Host', 'h'],
    chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(pieces.join('').length)],
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, text]) => `${name}:${blank}${text}${blank}\r\n`).join('')}\r\n`;
  if (!chunked) return head + pieces.join('');
  return `${head}${pieces.map((piece) => `${piece.length.toString(16)};x=${piece.length}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });

test('what is written is read, however it is cut and stopped', () => {
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 1, maxLength: 4 }),
      cuts,
      fc.array(fc.boolean(), { maxLength: 20 }),
      (requests, at, stops) => {
        const bytes = Buffer.from(requests.map(write).join(''), 'latin1');
        const seen = parse(cut(bytes, at), () => stops.pop() ?? false);
        expect(seen).toMatchObject({ refused: 0, idle: true, begun: 0 });
        expect(
          seen.requests.map(({ method, path: target, body: text, chunked }) => [
            method,
            target,
            text,
            chunked,
          ]),
        ).toEqual(
          requests.map(({ method, path: target, pieces, chunked }) => [
            method,
            target,
            pieces.join(''),
            chunked,
          ]),
        );
      },
    ),
    { numRuns: 500 },
  );
});

// A valid request with some bytes changed: near enough to HTTP to get far into the parser.
const spoiled = fc
  .tuple(
    fc.array(request, { minLength: 1, maxLength: 2 }),
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(13, 10, 32, 9, 58, 0, 48, 59, 255), fc.nat(255))), {
      maxLength: 3,
    }),
  )
  .map(([requests, changes]) => {
    const bytes = Buffer.from(requests.map(write).join(''), 'latin1');
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return bytes;
  });

test('whatever comes, it is read or refused, and the cuts make no difference', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        spoiled,
      ),
      cuts,
      (bytes, at) => {
        expect(parse(cut(bytes, at))).toEqual(parse([bytes]));
      },
    ),
    { numRuns: 3000 },
  );
});

// Smuggling lives on two readers that disagree: Node's parser may refuse what we take, but never take it for something else.
test("what is read is what Node's own parser reads", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(spoiled, async (bytes) => {
      const { requests, refused } = parse([bytes]);
      if (refused !== 0 || requests.some(({ method }) => !METHODS.includes(method))) return;
      const ours = requests.map(({ method, path: to, query, body: text }) => [
        method,
        `${to}?${query}`,
        text,
      ]);
      const theirs = await readByNode(bytes);
      if (theirs.refused) expect(theirs.requests).toEqual(ours.slice(0, theirs.requests.length));
      else {
        compared++;
        expect(theirs.requests).toEqual(ours);
      }
    }),
    { numRuns: 1000 },
  );
  expect(compared).toBeGreaterThan(100);
});

/** What a server of Node's own makes of the bytes: method, target and body of each whole request. */
function readByNode(bytes: Buffer): Promise<{ requests: string[][]; refused: boolean }> {
  return new Promise((resolve) => {
    const requests: string[][] = [];
    let refused = false;
    const server = createServer((req, res) => {
      const [path, ...query] = req.url!.split('?');
      let text = '';
      req.setEncoding('latin1');
      req.on('data', (piece: string) => (text += piece));
      req.on('end', () => requests.push([req.method!, `${path}?${query.join('?')}`, text]));
      res.end();
    });
    server.on('clientError', (_error, connection) => {
      refused = true;
      connection.destroy();
    });
    const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    socket.on('error', () => undefined);
    server.emit('connection', socket);
    socket.push(bytes);
    socket.push(null);
    socket.on('close', () => resolve({ requests, refused }));
  });
}
