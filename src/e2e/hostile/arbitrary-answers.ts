import fc from 'fast-check';

/** Where bytes go: into the answer to the POST at hand, or onto the session's stream. */
export interface Said {
  readonly on: 'post' | 'stream';
  /** With `$ID` for the id of the message at hand, `$ID+n` for those around it, `$NEXT+n` for those not seen so far. */
  readonly text: string;
  /** Shares of its length at which it is cut into pieces, each read by itself. */
  readonly cuts: readonly number[];
  readonly ending: 'nothing' | 'end' | 'reset';
}

/** All that a server says in the life of one session: at its opening, and to the POSTs that come, over and over. */
export interface SessionScript {
  readonly opening: readonly Said[];
  readonly answers: readonly (readonly Said[])[];
}

// POSTs go to `$PATH`.
const wellOpened =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: $PATH\n\n';
const accepted = 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n';

const id = fc.oneof(
  { arbitrary: fc.constant('$ID'), weight: 6 },
  { arbitrary: fc.integer({ min: -4, max: 4 }).map((by) => `$ID+${by}`), weight: 4 },
  {
    arbitrary: fc.constantFrom(
      '"$ID"',
      '"$ID+1"',
      '$ID.5',
      '-$ID',
      'null',
      '1e400',
      '"x"',
      '{}',
      '1e15',
      '0',
    ),
    weight: 1,
  },
);
const outcome = fc.oneof(
  { arbitrary: fc.constant('"result":{"content":[{"type":"text","text":"hello"}]}'), weight: 5 },
  {
    arbitrary: fc.constantFrom(
      '"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"x","version":"1"},"capabilities":{}}',
      '"result":{"isError":true,"content":[]}',
      '"error":{"code":-32000,"message":"no"}',
      '"error":{"code":"no"}',
      '"result":null,"error":null',
      '"result":5',
      '"method":"ping"',
      '"method":"notifications/x","params":{}',
      '"params":1',
      `"result":${'['.repeat(600)}${']'.repeat(600)}`,
    ),
    weight: 3,
  },
);
const message = fc.tuple(id, outcome).map(([of, what]) => `{"jsonrpc":"2.0","id":${of},${what}}`);
const json = fc.oneof(
  { arbitrary: message, weight: 8 },
  { arbitrary: fc.array(message, { maxLength: 4 }).map((all) => `[${all.join(',')}]`), weight: 2 },
  { arbitrary: fc.json({ maxDepth: 3 }), weight: 1 },
  { arbitrary: fc.constantFrom('{', '[', '', '{"jsonrpc":"2.0","id":$ID', 'Accepted'), weight: 1 },
);
// One character to a byte, so that whatever bytes there are can be said.
const bytes = fc
  .uint8Array({ maxLength: 40 })
  .map((given) => String.fromCharCode(...given).replaceAll('$', ''));

// The answer that is due, which makes room for a call, and those to the ids that this may get.
const answerAhead = ['$ID', ...Array.from({ length: 6 }, (_, by) => `$NEXT+${by}`)]
  .map((of) => `data: {"jsonrpc":"2.0","id":${of},"result":{}}\n\n`)
  .join('');

const event = fc.oneof(
  { arbitrary: json.map((data) => `event: message\ndata: ${data}\n\n`), weight: 12 },
  { arbitrary: json.map((data) => `data: ${data}\r\n\r\n`), weight: 2 },
  {
    arbitrary: fc.constantFrom(
      ': still here\n\n',
      'data: {"jso\n\n',
      'event: endpoint\ndata: /elsewhere\n\n',
      'event: ping\ndata\n\n',
      'data: [\n',
      '\n\n',
    ),
    weight: 2,
  },
  { arbitrary: fc.constant(answerAhead), weight: 3 },
  { arbitrary: bytes, weight: 1 },
);

const withLength =
  (head: string) =>
  (body: string): string =>
    `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
const postAnswer = fc.oneof(
  { arbitrary: fc.constant(accepted), weight: 14 },
  { arbitrary: fc.constant(accepted + accepted), weight: 2 },
  { arbitrary: json.map(withLength('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n')), weight: 3 },
  { arbitrary: json.map(withLength('HTTP/1.1 202 Accepted\r\nConnection: close\r\n')), weight: 1 },
  {
    arbitrary: json.map(
      (body) =>
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ),
    weight: 1,
  },
  {
    arbitrary: fc.constantFrom(
      `HTTP/1.1 100 Continue\r\n\r\n${accepted}`,
      'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nno!',
      'HTTP/1.1 202 Accepted\r\n\r\n',
      'HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\n1234',
      'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF1\r\n',
      'HTTP/1.1 204 No Content\r\n\r\n',
      'HTTP/1.0 200 OK\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
      'HTTP/1.1 2',
    ),
    weight: 2,
  },
  { arbitrary: bytes, weight: 1 },
);

const cuts = fc.oneof(
  { arbitrary: fc.constant<number[]>([]), weight: 3 },
  { arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }), weight: 1 },
);
const ending = fc.oneof(
  { arbitrary: fc.constant('nothing' as const), weight: 40 },
  { arbitrary: fc.constantFrom('end' as const, 'reset' as const), weight: 1 },
);
const onPost = fc.record({ on: fc.constant('post' as const), text: postAnswer, cuts, ending });
const onStream = fc.record({
  on: fc.constant('stream' as const),
  // Several in one write, so that one read makes room for calls whose answers are already in it.
  text: fc.array(event, { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
  cuts,
  ending,
});
/** Accepts a message and responds as it should. */
export const goodAnswer: readonly Said[] = [
  { on: 'post', text: accepted, cuts: [], ending: 'nothing' },
  {
    on: 'stream',
    text: 'data: {"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"hello"}]}}\n\n',
    cuts: [],
    ending: 'nothing',
  },
];
const answer: fc.Arbitrary<readonly Said[]> = fc.oneof(
  { arbitrary: fc.constant(goodAnswer), weight: 4 },
  { arbitrary: fc.tuple(onPost, onStream), weight: 4 },
  { arbitrary: fc.tuple(onStream, onPost), weight: 4 },
  { arbitrary: fc.array(fc.oneof(onPost, onStream), { maxLength: 3 }), weight: 1 },
);
const opening: fc.Arbitrary<readonly Said[]> = fc.oneof(
  {
    arbitrary: fc.constant([
      { on: 'stream' as const, text: wellOpened, cuts: [], ending: 'nothing' as const },
    ]),
    weight: 12,
  },
  {
    arbitrary: fc
      .tuple(cuts, ending, fc.array(event, { maxLength: 4 }))
      .map(([at, end, more]) => [
        { on: 'stream' as const, text: wellOpened + more.join(''), cuts: at, ending: end },
      ]),
    weight: 4,
  },
  {
    arbitrary: fc
      .oneof(bytes, postAnswer, event)
      .map((text) => [{ on: 'stream' as const, text, cuts: [], ending: 'end' as const }]),
    weight: 1,
  },
);

/** Whatever a server may say, valid or not; most of it is, or hardly a session would come as far as to make a call. */
export const sessionScripts: fc.Arbitrary<SessionScript> = fc.record({
  opening,
  // The first two go to the handshake.
  answers: fc.tuple(
    fc.oneof({ arbitrary: fc.constant(goodAnswer), weight: 15 }, { arbitrary: answer, weight: 1 }),
    fc.oneof({ arbitrary: fc.constant(goodAnswer), weight: 15 }, { arbitrary: answer, weight: 1 }),
    answer,
    answer,
    answer,
    answer,
  ),
});
