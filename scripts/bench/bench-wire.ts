// What reading a response, an event and an envelope costs, beside the obvious way to do it, in the same run.
// Run: npm run build && node dist/scripts/bench/bench-wire.js
import { createParser } from 'eventsource-parser';
import { HttpResponseParser } from '../../src/wire/http-response-parser.js';
import { createEnvelope, scanEnvelope } from '../../src/wire/json-rpc-scanner.js';
import { SseParser } from '../../src/wire/sse-parser.js';

let sink = 0;
/** Subjects of one group do the same work `items` times a run. */
interface Group {
  title: string;
  items: number;
  subjects: [name: string, run: () => void][];
}

const httpParser = new HttpResponseParser({
  onHead: (status) => (sink += status),
  onBody: (_, start, end) => (sink += end - start),
  onEnd: () => sink++,
});
const sseParser = new SseParser({ onEvent: (name, _, start, end) => (sink += end - start + name.length) });
const eventSource = createParser({
  onEvent: ({ event, data }) => (sink += data.length + (event?.length ?? 0)),
});

const dated = (date: string, body: string) =>
  `HTTP/1.1 202 Accepted\r\nuWebSockets: 20\r\nDate: ${date}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const now = 'Thu, 01 Jan 2026 00:00:00 GMT';
const alike = Buffer.from(dated(now, 'Accepted').repeat(400));
const different = Buffer.from(
  Array.from({ length: 400 }, (_, i) => dated(now.replace('2026', String(2000 + i)), 'Accepted')).join(''),
);
const large = Buffer.from(dated(now, 'x'.repeat(60_000)));
const chunks = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${`9a\r\n${'x'.repeat(154)}\r\n`.repeat(400)}0\r\n\r\n`;
const chunked = Buffer.from(chunks);

const message = (bytes: number) => {
  const text = 'lorem ipsum dolor sit amet '.repeat(Math.ceil(bytes / 27));
  const frame = (inner: string) =>
    `{"jsonrpc":"2.0","id":123456,"result":{"content":[{"type":"text","text":"${inner}"}],"isError":false}}`;
  return frame(text.slice(0, Math.max(0, bytes - frame('').length)));
};
const structured = (bytes: number) => {
  const rows: unknown[] = [];
  let size = 100;
  for (let i = 0; size < bytes; i++) {
    const row = { id: i, name: `row ${i}`, ok: i % 2 === 0, score: i / 7, tags: ['a', 'b'], none: null };
    rows.push(row);
    size += JSON.stringify(row).length + 1;
  }
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 123456,
    result: { structuredContent: { rows }, isError: false },
  });
};

const lf = Buffer.from(`event: message\ndata: ${message(120)}\n\n`.repeat(400));
const crlf = Buffer.from(`event: message\r\ndata: ${message(120)}\r\n\r\n`.repeat(400));
const largeEvent = Buffer.from(`event: message\ndata: ${message(60_000)}\n\n`);

const groups: Group[] = [
  httpGroup('a 202 with 8 bytes of body, heads alike, 400 to a buffer', alike, 400),
  httpGroup('the same, no two heads alike', different, 400),
  httpGroup('a body of 60 KB', large, 1),
  {
    title: 'a chunk of 154 bytes in a chunked body, 400 to a buffer',
    items: 400,
    subjects: [['our parser', () => httpParser.feed(chunked)]],
  },
  sseGroup('an event of 120 bytes, LF, 400 to a buffer', lf, 400),
  sseGroup('an event of 120 bytes, CRLF, 400 to a buffer', crlf, 400),
  sseGroup('an event of 60 KB', largeEvent, 1),
  jsonGroup('an envelope of 120 bytes', message(120), 400),
  jsonGroup('an envelope of 2 KB, one text', message(2048), 100),
  jsonGroup('an envelope of 2 KB, structured', structured(2048), 100),
  jsonGroup('an envelope of 100 KB, one text', message(100 * 1024), 4),
  jsonGroup('an envelope of 100 KB, structured', structured(100 * 1024), 4),
];

const only = process.argv[2];
console.log('CPU ns per item: median (best) of 15 rounds, subjects in turn');
for (const group of groups) if (only === undefined || group.title.includes(only)) measure(group);
if (sink === 0) throw new Error('nothing was read');

function measure({ title, items, subjects }: Group): void {
  const figures = subjects.map((): number[] => []);
  const repeats = subjects.map(([, run]) => Math.max(1, Math.round(2e7 / Math.max(100, timeNs(run, 100)))));
  for (let round = 0; round < 15; round++)
    for (const [i, [, run]] of subjects.entries()) figures[i]!.push(timeNs(run, repeats[i]!) / items);
  console.log(`\n${title}`);
  const medians = figures.map((all) => all.sort((a, b) => a - b)[all.length >> 1]!);
  for (const [i, [name]] of subjects.entries()) {
    const ratio = i === 0 ? '' : `  ${(medians[i]! / medians[0]!).toFixed(1)} × ours`;
    console.log(`  ${name.padEnd(34)} ${format(medians[i]!)} (${format(figures[i]![0]!)})${ratio}`);
  }
}

function format(ns: number): string {
  return ns.toFixed(ns < 1000 ? 1 : 0).padStart(8);
}

function timeNs(run: () => void, repeats: number): number {
  // CPU time, not time on the wall: other programs must not count.
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / repeats;
}

function httpGroup(title: string, buffer: Buffer, items: number): Group {
  return {
    title,
    items,
    subjects: [
      ['our parser', () => httpParser.feed(buffer)],
      ['splitting strings', () => splitStrings(buffer)],
    ],
  };
}

function sseGroup(title: string, buffer: Buffer, items: number): Group {
  return {
    title,
    items,
    subjects: [
      ['our parser', () => sseParser.feed(buffer)],
      ['eventsource-parser on toString', () => eventSource.feed(buffer.toString())],
    ],
  };
}

function jsonGroup(title: string, text: string, items: number): Group {
  const bytes = Buffer.from(text);
  const envelope = createEnvelope();
  return {
    title: `${title} (${bytes.length})`,
    items,
    subjects: [
      [
        'scanEnvelope',
        () => {
          for (let i = 0; i < items; i++) {
            scanEnvelope(bytes, 0, bytes.length, envelope);
            sink += envelope.idNumber;
          }
        },
      ],
      [
        'JSON.parse of toString',
        () => {
          for (let i = 0; i < items; i++) sink += (JSON.parse(bytes.toString()) as { id: number }).id;
        },
      ],
    ],
  };
}

// As one would write it first: right for these responses, blind to everything else.
function splitStrings(buffer: Buffer): void {
  let rest = buffer.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
    const length = Number(headers.get('Content-Length'));
    const body = rest.slice(end + 4, end + 4 + length);
    sink += Number(statusLine.split(' ')[1]) + body.length + 1;
    rest = rest.slice(end + 4 + length);
  }
}
