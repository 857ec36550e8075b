import type { Plan } from '../scenario/plan.js';
import type { Transport } from './transport.js';
import type { Turn } from './turn.js';
import type { TransportWords } from './transport-words.js';

/** One way to talk to an MCP server, as far as plans, checks and reports need to know it: loading it costs nothing. */
export interface TransportKind {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** Servers differ over it by their dialect, which their first words look like; elsewhere by the revision of MCP. */
  readonly hasDialects: boolean;
  /** The steps of a handshake, its own and those of MCP, in order; each is timed as `handshake.<step>`, and the whole as `handshake.total`. */
  readonly steps: readonly string[];
  /** Those of the steps that the next one does not wait for. */
  readonly beside: readonly string[];
  /** What it can time of a call beyond response and service. Rows of a report that cannot exist are not shown. */
  readonly marks: readonly CallMark[];
  readonly words: TransportWords;
}

/** A transport that there is: what is known of it, and how to come by what speaks it. */
export interface ShippedTransport extends TransportKind {
  load(): Promise<TransportCode>;
  /** Completes the message of a session that never became ready by what helps; '' where nothing is known. `kind` is as it is counted. */
  advise(kind: string, message: string): string;
  connectionsNeeded(plan: Plan): ConnectionsNeeded;
}

/** What speaks a transport. */
export interface TransportCode {
  /** The transport for one worker of a plan. `ip` is what the target's host name stands for. */
  create(plan: Plan, ip: string, turn: Turn): Transport;
}

/** How many connections the sessions of a plan hold at the least, and at the most. */
export interface ConnectionsNeeded {
  readonly least: number;
  readonly most: number;
}

/**
 * `connect`: a call may wait until a connection is made for it. `ack`: its acceptance is told from its response, which comes after it
 * (`ackToEvent`) or even before (`eventToAck`). `firstEvent`: other messages may come ahead of the response. `release`: what carries the
 * call may go on after the response.
 */
export type CallMark = 'connect' | 'ack' | 'ackToEvent' | 'eventToAck' | 'firstEvent' | 'release';
