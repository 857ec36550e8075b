import type { BodyHead } from '../sessions/stream.js';
import type { HttpReply } from './http-reply.js';

/** What goes over a connection, and whether it is ASCII: that is written as it is, without a look at each character. */
export interface WireText {
  readonly text: string;
  readonly ascii: boolean;
}

/** How a reply is to be written for one request. */
export interface ReplyForm {
  readonly minor: 0 | 1;
  /** The connection ends after it. */
  readonly closes: boolean;
  /** HEAD is answered without a body. */
  readonly headOnly: boolean;
}

const plain: ReplyForm = { minor: 1, closes: false, headOnly: false };
let second = 0;
let dateLine = '';
let lastReply: HttpReply | null = null;
let lastText: WireText = { text: '', ascii: true };

/** A reply as most requests get it: over HTTP/1.1, on a connection that stays. */
export function plainReplyText(reply: HttpReply): WireText {
  const now = Math.floor(Date.now() / 1000);
  // The acceptance of messages is one and the same object all the time.
  if (reply === lastReply && now === second) return lastText;
  lastText = replyText(reply, plain);
  lastReply = reply;
  return lastText;
}

/** A reply with its head, and its body where it may have one. */
export function replyText(reply: HttpReply, { minor, closes, headOnly }: ReplyForm): WireText {
  const { status, statusLine, contentType, headers, body } = reply;
  const chunked = reply.chunked && body !== '' && minor === 1;
  const bytes = Buffer.byteLength(body);
  let head = `HTTP/1.1 ${statusLine}\r\n`;
  if (contentType !== '') head += `Content-Type: ${contentType}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  head += date();
  if (closes) head += 'Connection: close\r\n';
  else if (minor === 0) head += 'Connection: keep-alive\r\n';
  if (chunked) head += 'Transfer-Encoding: chunked\r\n';
  else if (status !== 204) head += `Content-Length: ${bytes}\r\n`;
  const sent = headOnly ? '' : chunked ? `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  // Headers are ours, or of a target, which is ASCII.
  return { text: `${head}\r\n${sent}`, ascii: bytes === body.length };
}

/** The head of an answer that is written piece by piece; over HTTP/1.0 it lasts until the connection ends. */
export function bodyHead({ contentType, headers }: BodyHead, minor: 0 | 1): string {
  let head = `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nCache-Control: no-cache\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  return `${head}${date()}Connection: ${minor === 1 ? 'keep-alive\r\nTransfer-Encoding: chunked' : 'close'}\r\n\r\n`;
}

function date(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    dateLine = `Date: ${new Date(now * 1000).toUTCString()}\r\n`;
  }
  return dateLine;
}
