import type { DialectName } from '../scenario/plan.js';
import type { Traffic } from './traffic.js';

/**
 * One way to talk to an MCP server. What is above it knows channels for JSON-RPC messages and nothing of what carries them; each
 * transport is a folder beside this file, and a line in `transport-kinds.ts`.
 */
export interface Transport {
  /** Opens a channel for the session with this place in the run. Its handler hears nothing before this has returned. */
  open(ordinal: number, handler: ChannelHandler): Channel;
  readonly traffic: Traffic;
  /**
   * Each message gets a reply of its own, which accepts or refuses it; giving up the message ends that reply, and so tells the server.
   * Where there are none, a message that needs no response counts as accepted once it has been handed over.
   */
  readonly replies: boolean;
  /** The target's processes that it has started and that have not ended; absent where it starts none. */
  readonly processes?: ReadonlySet<number>;
  /** Resolves once the server has heard of channels that were closed, where it is told, or has had time enough; what was started for them has ended by then. */
  settle(): Promise<void>;
  /** Ends whatever outlives a channel: shared connections. */
  close(): void;
}

/** Carries the messages of one session, both ways. */
export interface Channel {
  /**
   * Sends one message as soon as it may leave; what becomes of it is told to `by`. `ascii` promises that the text holds
   * nothing else, so that nobody needs to count its bytes. Not before the channel is open.
   */
  send(text: string, ascii: boolean, by: Outgoing, kind: MessageKind): void;
  /** Client and server have agreed on this revision of MCP; what is sent from now on may have to say so. */
  agree(protocolVersion: string): void;
  /** Opens what is to bring messages that nothing was sent for, where that is apart; true where `onListening` is yet to come. */
  listen(): boolean;
  /** It holds something open on which messages may come at any time: silence says something. */
  readonly listens: boolean;
  /** Hands over what was sent and could leave: whoever has sent several at once need not wait for the end of the turn. */
  flush(): void;
  /**
   * Gets ready to send so many messages at once at `untilNs`. True where nothing is under way any more. To be called some time
   * before, but no more than two seconds.
   */
  prepare(messages: number, untilNs: number): boolean;
  /** Withdraws a message if no byte of it has been sent; false where one has. */
  withdraw(by: Outgoing): boolean;
  /** Stops waiting for what becomes of a message: whatever is held for it alone is let go. */
  giveUp(by: Outgoing): void;
  /** Ends the channel: messages that have not left fail as unsent, and the handler hears nothing more. */
  end(how: ChannelEnding): void;
}

/** `close`: the server is told, where there is a way to tell it. `abandon`: the client is just gone. */
export type ChannelEnding = 'close' | 'abandon';

export interface ChannelHandler {
  /**
   * A step of opening the channel is done; steps from the same start overlap, and the last of them holds the others. `byUs`: nothing was
   * waited for that could have lain unread.
   */
  onStep(step: string, sinceNs: number, atNs: number, byUs?: boolean): void;
  /** Messages may be sent. `looks`: the dialect that the server seems to speak. */
  onOpen(looks: DialectName, atNs: number): void;
  /** What should be a message, or a batch of them: bytes [start, end) of `buffer`, valid only during the call. May come before `onOpen`. */
  onMessage(buffer: Buffer, start: number, end: number, atNs: number): void;
  /** What a message was refused with, which may be the response to it: bytes as in `onMessage`. */
  onRefusalBody(buffer: Buffer, start: number, end: number, atNs: number): void;
  /** What `listen` has opened stands, or the server will have none of it. */
  onListening(atNs: number): void;
  /** The server does not know the session any more: what is under way may still end, and nothing new should be sent. */
  onForgotten(message: string): void;
  /** An unfinished message was dropped, and the channel goes on. */
  onTruncated(): void;
  /** Some bytes came, be it only a comment. */
  onAlive(atNs: number): void;
  /** The channel is over, or was never opened; called once, and not after `end`. */
  onClosed(reason: ChannelLoss): void;
}

/** Why a channel is over. `kind` is stable and counted; `message` is for people. */
export interface ChannelLoss {
  readonly kind: string;
  readonly message: string;
  /** An unfinished message was dropped. */
  readonly truncated: boolean;
}

/** What a message is about, for a transport that says so beside it. One object serves many messages, so that what follows from it is made once. */
export interface MessageKind {
  /** '' of a response. */
  readonly method: string;
  /** The name of a tool or a prompt, or the URI of a resource; null where there is none. */
  readonly subject: string | null;
  /** Arguments that a server wants to be told beside the message: name and text. */
  readonly mirrored: readonly (readonly [name: string, text: string])[];
  /** It serves a single message. */
  readonly once: boolean;
}

/**
 * What follows the acceptance of a message in the same reply: nothing that matters; one body, which is the response; or a stream of
 * messages, the response among them.
 */
export type ReplyKind = 'none' | 'json' | 'events';

/** A message on its way out, and who wants to know what becomes of it. Only `onSent` and one more are certain to be called. */
export interface Outgoing {
  /** No response is waited for, or not any more. */
  readonly answered: boolean;
  /**
   * It was handed over, on a connection that was asked for at `askedNs`, stood at `stoodNs` and was free for it since `freeNs`: each 0
   * where none is made for messages.
   */
  onSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void;
  /** The server has accepted it. `note` says of the acceptance what may explain that nothing more comes, and is '' otherwise. */
  onAccepted(note: string, reply: ReplyKind, atNs: number): void;
  onRefused(refusal: Refusal, atNs: number): void;
  /** What the server sent along with its acceptance, whole: a response, several, or nothing that matters. Valid only during the call. */
  onReply(body: Buffer, atNs: number): void;
  /** The first message of a reply that is a stream. */
  onFirstMessage(atNs: number): void;
  /** Its reply is over; whatever that held has been told. `cut`: we ended it ourselves, since the response was there. */
  onReplyEnded(atNs: number, cut: boolean): void;
  /** Nobody will say whether it was accepted. `unsent`: not one byte of it left, so that it may be counted as never sent. */
  onFailed(unsent: boolean, message: string, atNs: number): void;
}

/** The server would not have a message. */
export interface Refusal {
  readonly status: number;
  /** As failures are counted: `http 503`. */
  readonly kind: string;
  /** For people: `its POST was answered 503`. */
  readonly text: string;
  /** It was the server who said so, and not somebody in its place. */
  readonly serverIsThere: boolean;
}
