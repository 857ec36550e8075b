import type { CallAnswer, Twist } from '../peers/call-answer.js';
import type { PeerCall } from '../peers/peer-call.js';
import type { Peer } from '../peers/peer.js';
import type { StdioOutput } from './stdio-output.js';
import type { Stream } from '../sessions/stream.js';

/** Who is told what becomes of calls. */
export interface StdioCalls {
  readonly output: StdioOutput;
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
    private readonly using: StdioCalls,
    private readonly idJson: string,
  ) {}

  get stream(): Stream<Peer> {
    return this.using.output.stream;
  }

  began(call: PeerCall): void {
    this.using.callBegan(call);
  }

  ended(call: PeerCall): void {
    this.using.callEnded(call);
  }

  startEarly(): void {
    // A pipe has no head that could go first.
  }

  emit(data: string): boolean {
    this.using.output.message(data, 0);
    return this.stream.open;
  }

  respond(data: string, _status = 200, twist?: Twist): boolean {
    const { output } = this.using;
    if (!this.stream.open) return false;
    const record = twist?.record ?? null;
    const splitAt = twist?.splitAt ?? -1;
    if (splitAt >= 0) output.split(data, splitAt, record);
    else output.message(data, 1, record);
    if (twist?.twice) output.message(data, 1);
    return true;
  }

  refuse(): void {
    throw new Error('faults that refuse calls were let through to a pipe');
  }

  drop(): void {
    // Nothing waits for an answer that will not come.
  }

  cut(): void {
    this.using.cut(this.idJson);
  }

  disconnect(): boolean {
    return false;
  }
}
