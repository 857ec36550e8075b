import { headNote } from '../../wire/head-note.js';
import type { ResponseHeaders } from '../../wire/http-response-parser.js';
import type { Outgoing } from '../transport.js';
import type { PendingPost } from './post-channel.js';
import { refusalOf } from './refusal-of.js';

const maxJsonBodyBytes = 16 * 1024 * 1024;

/** A POST whose status is all that is asked of its answer; a body of JSON that comes along with a 2xx is handed on, whole. */
export class AcceptedPost implements PendingPost {
  private json: Buffer[] | null = null;
  private jsonBytes = 0;

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
    if (isJson && note === '') this.json = [];
    if (status >= 200 && status < 300)
      this.by.onAccepted(note === '' ? '' : `its POST was answered ${status}${note}`, 'none', atNs);
    else this.by.onRefused(refusalOf(status, note), atNs);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.json === null) return;
    this.jsonBytes += end - start;
    if (this.jsonBytes > maxJsonBodyBytes) this.json = null;
    else this.json.push(Buffer.from(chunk.subarray(start, end)));
  }

  onPaused(): void {}

  onEnd(atNs: number): void {
    const { json } = this;
    this.json = null;
    if (json !== null && this.jsonBytes > 0)
      this.by.onReply(json.length === 1 ? json[0] : Buffer.concat(json), atNs);
  }

  onLost(unsent: boolean, message: string, atNs: number): void {
    this.by.onFailed(unsent, message, atNs);
  }
}
