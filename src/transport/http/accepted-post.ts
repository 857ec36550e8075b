import { GrowingBytes } from '../../wire/growing-bytes.js';
import { headNote } from '../../wire/head-note.js';
import type { ResponseHeaders } from '../../wire/http-response-parser.js';
import type { Outgoing } from '../transport.js';
import type { PendingPost } from './post-channel.js';
import { refusalOf } from './refusal-of.js';

const maxJsonBodyBytes = 16 * 1024 * 1024;

/** A POST whose status is all that is asked of its answer; a body of JSON that comes along with a 2xx is handed on, whole. */
export class AcceptedPost implements PendingPost {
  private json: GrowingBytes | null = null;

  constructor(
    readonly head: string,
    readonly body: string,
    readonly ascii: boolean,
    readonly by: Outgoing,
    readonly channel: object,
  ) {}

  onSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void {
    this.by.onSent(atNs, askedNs, stoodNs, freeNs);
  }

  onHead(status: number, headers: ResponseHeaders, atNs: number): void {
    const isJson =
      status < 300 && headers.contentLength !== 0 && headers.contentType.startsWith('application/json');
    const note = isJson || status >= 300 ? headNote(status, headers) : '';
    if (isJson && note === '') this.json = new GrowingBytes();
    if (status >= 200 && status < 300)
      this.by.onAccepted(note === '' ? '' : `its POST was answered ${status}${note}`, 'none', atNs);
    else this.by.onRefused(refusalOf(status, note), atNs);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.json === null) return;
    if (this.json.length + end - start > maxJsonBodyBytes) this.json = null;
    else this.json.append(chunk, start, end);
  }

  onPaused(): void {}

  onEnd(atNs: number): void {
    const { json } = this;
    this.json = null;
    if (json !== null && json.length > 0) this.by.onReply(json.bytes.subarray(0, json.length), atNs);
  }

  onLost(unsent: boolean, message: string, atNs: number): void {
    this.by.onFailed(unsent, message, atNs);
  }
}
