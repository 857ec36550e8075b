import { describe, expect, it } from 'vitest';
import { MarkCounter } from './mark-counter.js';

const answers = 'HTTP/1.1 202 Accepted\r\n\r\nHTTP/1.1 HTTP/1.1 202 Accepted\r\n\r\nHTTP/1.1 202';
const events = 'event: a\ndata: 1\n\n\r\n12\r\nevent: b\ndata: 2\n\n';

describe('MarkCounter', () => {
  it.each([
    ['HTTP/1.1 202', answers, 3],
    ['\n\n', events, 2],
  ])('counts %j however the bytes are cut into three', (mark, text, expected) => {
    const bytes = Buffer.from(text);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const counter = new MarkCounter(Buffer.from(mark));
        const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        const count = pieces.reduce((sum, piece) => sum + counter.feed(piece), 0);
        expect(count, `cut at ${first} and ${second}`).toBe(expected);
      }
    }
  });

  it('counts when every byte comes alone', () => {
    const counter = new MarkCounter(Buffer.from('HTTP/1.1 202'));
    const count = [...Buffer.from(answers)].reduce((sum, byte) => sum + counter.feed(Buffer.from([byte])), 0);
    expect(count).toBe(3);
  });
});
