import type { CallAnswer, Twist } from '../peers/call-answer.js';
import type { CallLog } from '../calls/call-log.js';
import type { PeerCall } from '../peers/peer-call.js';
import type { Peer } from '../peers/peer.js';
import type { Stream } from '../sessions/stream.js';
import type { Streams } from '../sessions/streams.js';

/** What the answers to calls are written with. */
export interface StdioLine {
  readonly streams: Streams<Peer>;
  readonly stream: Stream<Peer>;
  readonly log: CallLog | null;
  /** `\n`, or `\r\n`. */
  readonly lineEnd: string;
  callBegan(call: PeerCall): void;
  callEnded(call: PeerCall): void;
  /** Ends the process in the middle of the line that answers a call. */
  cut(idJson: string): void;
}

/** The answer to one call on stdout, where it is a line among others. */
export class StdioAnswer implements CallAnswer {
  readonly wantsStream = true;
  readonly detached = false;

  constructor(
    private readonly line: StdioLine,
    private readonly idJson: string,
  ) {}

  get stream(): Stream<Peer> {
    return this.line.stream;
  }

  began(call: PeerCall): void {
    this.line.callBegan(call);
  }

  ended(call: PeerCall): void {
    this.line.callEnded(call);
  }

  startEarly(): void {
    // A pipe has no head that could go first.
  }

  emit(data: string): boolean {
    const { streams, stream, lineEnd } = this.line;
    if (!stream.open) return false;
    streams.send(stream, data + lineEnd, 0);
    return true;
  }

  respond(data: string, _status = 200, twist?: Twist): boolean {
    const { streams, stream, lineEnd } = this.line;
    if (!stream.open) return false;
    const text = data + lineEnd;
    const record = twist?.record ?? null;
    const splitAt = twist?.splitAt ?? -1;
    if (splitAt >= 0) streams.sendSplit(stream, text, 1, splitAt, record);
    else streams.send(stream, text, 1, 1, record);
    if (twist?.twice) streams.send(stream, text, 1);
    return true;
  }

  refuse(): void {
    throw new Error('faults that refuse calls were let through to a pipe');
  }

  drop(): void {
    // Nothing waits for an answer that will not come.
  }

  cut(): void {
    this.line.cut(this.idJson);
  }

  disconnect(): boolean {
    return false;
  }
}
