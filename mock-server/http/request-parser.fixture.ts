import { RequestError } from './request-error.js';
import type { RequestHead } from './request-head.js';
import { RequestParser } from './request-parser.js';

/** A request as a test sees it. */
export interface SeenRequest extends Omit<RequestHead, 'mcp'> {
  readonly body: string;
}

/** What became of the bytes of one connection. */
export interface Seen {
  readonly requests: SeenRequest[];
  /** Heads whose bodies did not come to their end. */
  readonly begun: number;
  /** The status of the refusal; 0 where there was none. */
  readonly refused: number;
  readonly idle: boolean;
}

/** Feeds the pieces to a parser; where `stops` says so, it is stopped in a callback and fed the rest anew. */
export function parse(pieces: readonly Buffer[], stops: () => boolean = () => false): Seen {
  const requests: SeenRequest[] = [];
  let begun = 0;
  let head: RequestHead | null = null;
  let body: Buffer[] = [];
  const stop = (): void => {
    if (stops()) parser.stop();
  };
  const parser = new RequestParser({
    onHead: (found) => {
      head = found;
      begun++;
      body = [];
      stop();
    },
    onBody: (bytes, start, end) => {
      body.push(Buffer.from(bytes.subarray(start, end)));
      stop();
    },
    onEnd: () => {
      requests.push({ ...withoutMcp(head!), body: Buffer.concat(body).toString('latin1') });
      begun--;
      stop();
    },
  });
  try {
    for (const piece of pieces) {
      let rest = piece;
      // Without a byte: what a stop held up goes on by itself.
      do rest = rest.subarray(parser.feed(rest));
      while (rest.length > 0);
      parser.feed(rest);
    }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { requests, begun, refused: error.status, idle: parser.idle };
  }
  return { requests, begun, refused: 0, idle: parser.idle };
}

/** The bytes cut at these places, which need not be in order. */
export function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

/** What Streamable HTTP wants to know has tests of its own. */
function withoutMcp({ mcp: _mcp, ...head }: RequestHead): Omit<RequestHead, 'mcp'> {
  return head;
}
