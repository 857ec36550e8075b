import { expect, test } from 'vitest';
import { parseCapture, type Segment } from './capture.js';
import { callsPosted, wireCalls, wireReleasedNs } from './wire-truth.js';

const server = 8000;

test('calls are put together from the segments of one server, whatever the order of event and 202', () => {
  const calls = wireCalls(
    [
      sent(1, 5001, 'POST /m HTTP/1.1\r\n\r\n{"id":7,"method":"tools/call"}'),
      sent(2, 5002, 'POST /m HTTP/1.1\r\n\r\n{"id":8,"method":"tools/call"}'),
      sent(3, 5003, 'POST /m HTTP/1.1\r\n\r\n{"id":9,"method":"initialize"}'),
      answered(4, 5002, 'HTTP/1.1 202 Accepted\r\n\r\n'),
      answered(5, 5000, 'data: {"id":7}\n\ndata: {"id":8}\n\ndata: {"id":9}\n\n'),
      answered(6, 5001, 'HTTP/1.1 202 Accepted\r\n\r\n'),
    ],
    server,
  );
  expect(calls).toEqual([
    { id: 7, postNs: 1, ackNs: 6, eventNs: 5, endNs: null },
    { id: 8, postNs: 2, ackNs: 4, eventNs: 5, endNs: null },
  ]);
});

test('over Streamable HTTP the reply of its POST brings the response, as a body of JSON or as an event that the body may outlast', () => {
  const calls = wireCalls(
    [
      sent(1, 5001, 'POST /mcp HTTP/1.1\r\n\r\n{"id":7,"method":"tools/call"}'),
      sent(2, 5002, 'POST /mcp HTTP/1.1\r\n\r\n{"id":8,"method":"tools/call"}'),
      answered(3, 5001, 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":7}'),
      answered(4, 5002, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n'),
      answered(5, 5002, '10\r\ndata: {"id":8}\n\n\r\n'),
      answered(7, 5002, '0\r\n\r\n'),
    ],
    server,
  );
  expect(calls).toEqual([
    { id: 7, postNs: 1, ackNs: 3, eventNs: 3, endNs: null },
    { id: 8, postNs: 2, ackNs: 4, eventNs: 5, endNs: 7 },
  ]);
  expect(wireReleasedNs(calls)).toEqual([2]);
});

test('a call that did not pass whole is left out, and other servers are none of ours', () => {
  const post = 'POST /m HTTP/1.1\r\n\r\n{"id":7,"method":"tools/call"}';
  expect(wireCalls([sent(1, 5001, post), answered(2, 5000, 'data: {"id":7}\n\n')], server)).toEqual([]);
  expect(wireCalls([sent(1, 5001, post)], 9000)).toEqual([]);
  expect(callsPosted([sent(1, 5001, post), answered(2, 5000, post)], server)).toBe(1);
});

test('a capture is read to the nanosecond, packets without a payload are passed over', () => {
  const file = Buffer.concat([
    header(),
    frame(10, 999_999_999, 'hello'),
    frame(11, 1, ''),
    frame(12, 5, 'world'),
  ]);
  expect(parseCapture(file)).toEqual([
    { atNs: 999_999_999, fromPort: 4000, toPort: 8000, payload: Buffer.from('hello') },
    { atNs: 2_000_000_005, fromPort: 4000, toPort: 8000, payload: Buffer.from('world') },
  ]);
});

test('a file that is no such capture is refused', () => {
  expect(() => parseCapture(Buffer.alloc(24))).toThrow(/nanosecond/);
  expect(() => parseCapture(Buffer.alloc(3))).toThrow(/nanosecond/);
});

function sent(atNs: number, fromPort: number, text: string): Segment {
  return { atNs, fromPort, toPort: server, payload: Buffer.from(text) };
}

function answered(atNs: number, toPort: number, text: string): Segment {
  return { atNs, fromPort: server, toPort, payload: Buffer.from(text) };
}

function header(): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(0xa1b23c4d, 0);
  return bytes;
}

function frame(seconds: number, nanoseconds: number, payload: string): Buffer {
  const body = Buffer.alloc(14 + 20 + 20 + payload.length);
  body.writeUInt16BE(0x0800, 12);
  body[14] = 0x45;
  body.writeUInt16BE(40 + payload.length, 16);
  body[23] = 6;
  body.writeUInt16BE(4000, 34);
  body.writeUInt16BE(8000, 36);
  body[46] = 0x50;
  body.write(payload, 54);
  const record = Buffer.alloc(16);
  record.writeUInt32LE(seconds, 0);
  record.writeUInt32LE(nanoseconds, 4);
  record.writeUInt32LE(body.length, 8);
  record.writeUInt32LE(body.length, 12);
  return Buffer.concat([record, body]);
}
