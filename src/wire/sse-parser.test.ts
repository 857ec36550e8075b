import { describe, expect, test } from 'vitest';
import { SseParser } from './sse-parser.js';

function parse(pieces: Buffer[]) {
  const events: unknown[] = [];
  const parser = new SseParser({
    onEvent: (event, buffer, start, end) => events.push([event, buffer.toString('utf8', start, end)]),
    onComment: (buffer, start, end) => events.push(['comment', buffer.toString('utf8', start, end)]),
    onId: (id) => events.push(['id', id]),
    onRetry: (ms) => events.push(['retry', ms]),
  });
  for (const piece of pieces) parser.feed(piece);
  return { events, cut: parser.end(), endings: { ...parser.sawLineEndings } };
}

const fixtures: Record<string, string> = {
  lf: 'event: message\ndata: {"a":1}\n\nevent: message\ndata: {"b":2}\n\n',
  crlf: 'event: message\r\ndata: {"a":1}\r\n\r\nid: 7\r\nretry: 12\r\ndata:x\r\n\r\n',
  cr: 'data: a\r\rdata: b\r\r: c\r',
  mixed: 'event: endpoint\ndata: /m?s=1\r\n\r\ndata: é…\r\ndata\rdata:\n\r',
};

describe('the same bytes in any pieces give the same events', () => {
  for (const [name, text] of Object.entries(fixtures))
    test(name, () => {
      const whole = Buffer.from(text);
      const expected = parse([whole]);
      expect(expected.events.length).toBeGreaterThan(0);
      for (let i = 0; i <= whole.length; i++)
        for (let j = i; j <= whole.length; j++)
          expect(parse([whole.subarray(0, i), whole.subarray(i, j), whole.subarray(j)])).toEqual(expected);
    });
});
