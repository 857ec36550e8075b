import type { Deadlines, Limited } from '../deadlines.js';
import type { Outgoing, Refusal, ReplyKind } from '../transport/transport.js';
import type { Round } from './round.js';
import type { Session } from './session.js';
import type { Ticket } from './ticket.js';

/** Who judges what happens to a call. */
export interface CallKeeper {
  onCallSent(call: Call): void;
  onCallAccepted(call: Call, note: string, reply: ReplyKind, atNs: number): void;
  onCallFirstMessage(call: Call, atNs: number): void;
  onCallReplyEnded(call: Call, atNs: number, cut: boolean): void;
  onCallRefused(call: Call, refusal: Refusal, atNs: number): void;
  onCallFailed(call: Call, unsent: boolean, message: string, atNs: number): void;
}

/** One request in flight: the moments of its life, and its places in the lists that it is in. */
export class Call implements Outgoing, Limited<Call> {
  sentNs = 0;
  /** When a slot became free for it, where it had waited for one; 0 where not. */
  roomNs = 0;
  /** How long it waited for the connection that it left on to be made. */
  connectNs = 0;
  /** How long it waited for the generator alone: to be found due, and, once nothing else was in its way, to be handed to the socket. */
  lagNs = 0;
  /** When it was accepted; 0 before. */
  ackNs = 0;
  /** When the response came, if it ended ok; 0 before. */
  okNs = 0;
  /** How long each of the two may have lain in its socket, unread. */
  ackUnreadNs = 0;
  /** What its acceptance began, and whether that is still going on. */
  reply: ReplyKind = 'none';
  replyOpen = false;
  /** When the first message of its reply came; 0 before, and where the reply is no stream. */
  firstNs = 0;
  firstUnreadNs = 0;
  okUnreadNs = 0;
  ended = false;
  /** It has ended, and its acceptance, or the end of its reply, is still open. */
  owing = false;
  deadlines: Deadlines<Call> | null = null;
  previous: Call | null = null;
  next: Call | null = null;
  limitFromNs = 0;
  /** The calls of its session that began before and after it; kept by CallsInFlight. */
  older: Call | null = null;
  newer: Call | null = null;
  /** What its acceptance said that explains why nothing more came. */
  note = '';

  /** The last of the rounds in which it was asked once more; null where it was not. */
  round: Round | null = null;
  rounds = 0;

  constructor(
    /** Under which its response will come; each round has its own. */
    public id: number,
    readonly session: Session,
    readonly ticket: Ticket,
    /** For `expect: echo`: the message as JSON text. */
    readonly echo: string,
    private readonly keeper: CallKeeper,
  ) {}

  get answered(): boolean {
    return this.ended || this.round !== null;
  }

  onSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void {
    this.sentNs = atNs;
    const { intendedNs, foundNs } = this.ticket;
    if (stoodNs > foundNs) this.connectNs = stoodNs - Math.max(askedNs, foundNs);
    this.lagNs = foundNs - intendedNs + (atNs - Math.max(foundNs, this.roomNs, freeNs));
    this.keeper.onCallSent(this);
  }

  onAccepted(note: string, reply: ReplyKind, atNs: number): void {
    this.keeper.onCallAccepted(this, note, reply, atNs);
  }

  onRefused(refusal: Refusal, atNs: number): void {
    this.keeper.onCallRefused(this, refusal, atNs);
  }

  onReply(body: Buffer, atNs: number): void {
    this.session.client.onReply(body, atNs);
  }

  onFirstMessage(atNs: number): void {
    this.keeper.onCallFirstMessage(this, atNs);
  }

  onReplyEnded(atNs: number, cut: boolean): void {
    this.keeper.onCallReplyEnded(this, atNs, cut);
  }

  onFailed(unsent: boolean, message: string, atNs: number): void {
    this.keeper.onCallFailed(this, unsent, message, atNs);
  }
}
