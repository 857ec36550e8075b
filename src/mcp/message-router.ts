import { countName } from '../stats/outcomes.js';
import { createEnvelope, type Envelope, isArray, scanEnvelope } from '../wire/json-rpc-scanner.js';
import { parseBounded } from '../wire/parse-bounded.js';
import type { OddityCounts } from './oddities.js';

/** Who is told what a message is, once its envelope has been read. */
export interface MessageTaker {
  /** Nothing more is of interest: the rest of a batch is left unread. */
  readonly isOver: boolean;
  /** A response, or what is meant as one. The envelope and the bytes [start, end) are valid only during the call. */
  onResponse(envelope: Envelope, buffer: Buffer, start: number, end: number, atNs: number): void;
  /** The server asks something itself; `idJson` is the id of its request as JSON text. */
  onServerRequest(method: string, idJson: string): void;
}

// Nothing here is re-entrant: no message is read while another is being judged.
const envelope: Envelope = createEnvelope();

/** Tells responses, requests, notifications and batches apart, and counts what nobody waits for. */
export class MessageRouter {
  constructor(private readonly oddities: OddityCounts) {}

  /** Bytes that should be a message, or a batch of them. */
  route(buffer: Buffer, start: number, end: number, atNs: number, taker: MessageTaker): void {
    if (start === end || taker.isOver) return;
    if (isArray(buffer, start, end)) {
      this.routeBatch(buffer.toString('utf8', start, end), atNs, taker);
      return;
    }
    scanEnvelope(buffer, start, end, envelope);
    switch (envelope.kind) {
      case 'response':
        this.takeResponse(buffer, start, end, atNs, taker);
        return;
      case 'request':
        countName(this.oddities.serverRequest, envelope.method);
        taker.onServerRequest(envelope.method, idJson(buffer, start, end));
        return;
      case 'notification':
        countName(this.oddities.notification, envelope.method);
        return;
      case 'invalid':
        // Ours, but no valid response: that is an outcome. Nobody's: an oddity.
        if (envelope.reason !== 'json' && (envelope.idType === 'number' || envelope.idType === 'string')) {
          this.takeResponse(buffer, start, end, atNs, taker);
        } else {
          this.oddities.malformedEvent++;
        }
    }
  }

  /**
   * What came along with the acceptance of a message: a response, or an array of them, counts like one that came by itself. Anything
   * else is only the server's way of saying that it accepts.
   */
  routeReply(body: Buffer, atNs: number, taker: MessageTaker): void {
    const messages = isArray(body, 0, body.length) ? messagesIn(body.toString('utf8')) : [body];
    for (const message of messages ?? []) {
      if (taker.isOver) return;
      scanEnvelope(message, 0, message.length, envelope);
      if (envelope.kind === 'response') this.takeResponse(message, 0, message.length, atNs, taker);
    }
  }

  /**
   * What a message was refused with: an error response to one of ours counts as one that came by itself. Whatever else servers say with a
   * refusal is no message.
   */
  routeRefusal(buffer: Buffer, start: number, end: number, atNs: number, taker: MessageTaker): void {
    if (taker.isOver || isArray(buffer, start, end)) return;
    scanEnvelope(buffer, start, end, envelope);
    const { kind, hasError, idType } = envelope;
    if (kind === 'response' && hasError && (idType === 'number' || idType === 'string'))
      taker.onResponse(envelope, buffer, start, end, atNs);
  }

  /** What comes before the channel is open can be no answer: only notifications are counted. */
  countEarly(buffer: Buffer, start: number, end: number): void {
    scanEnvelope(buffer, start, end, envelope);
    if (envelope.kind === 'notification') countName(this.oddities.notification, envelope.method);
  }

  private routeBatch(text: string, atNs: number, taker: MessageTaker): void {
    const messages = messagesIn(text);
    if (messages === null) this.oddities.malformedEvent++;
    for (const message of messages ?? []) {
      if (isArray(message, 0, message.length)) this.oddities.malformedEvent++;
      else this.route(message, 0, message.length, atNs, taker);
    }
  }

  private takeResponse(buffer: Buffer, start: number, end: number, atNs: number, taker: MessageTaker): void {
    if (envelope.idType === 'null' || envelope.idType === 'none') this.oddities.nullIdError++;
    else taker.onResponse(envelope, buffer, start, end, atNs);
  }
}

function messagesIn(text: string): Buffer[] | null {
  try {
    return (parseBounded(text) as unknown[]).map((message) => Buffer.from(JSON.stringify(message)));
  } catch {
    return null;
  }
}

// The id as it came. A double cannot hold every whole number that a server may use, such as a time in nanoseconds.
function idJson(buffer: Buffer, start: number, end: number): string {
  if (envelope.idType === 'string') return JSON.stringify(envelope.idString);
  if (Number.isSafeInteger(envelope.idNumber)) return String(envelope.idNumber);
  for (const [, digits] of buffer.toString('utf8', start, end).matchAll(/"id"\s*:\s*(-?[\d.eE+-]+)/g)) {
    if (Number(digits) === envelope.idNumber) return digits;
  }
  return String(envelope.idNumber);
}
