import { nowNs } from '../clock.js';
import { Connection, type Wiring } from '../transport/http/connection.js';
import type { RequestHeads } from '../transport/http/request-heads.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import { GrowingBytes } from '../wire/growing-bytes.js';
import { headNote } from '../wire/head-note.js';
import type { HttpResponseHandler, ResponseHeaders } from '../wire/http-response-parser.js';
import { HttpResponseParser } from '../wire/http-response-parser.js';

/** What became of one POST. */
export interface PostAnswer {
  sentNs: number;
  /** null where no status came. */
  status: number | null;
  ackNs: number | null;
  headers: ResponseHeaders | null;
  body: string;
  /** What the head says that explains why the answer is of no use; '' where there is nothing. */
  note: string;
  /** It went out on a connection that had carried another before. */
  reusedConnection: boolean;
  /** Why there is no whole answer. */
  failure: string | null;
}

const keptBytes = 1024 * 1024;
// A server may be about to drop what has been idle for longer.
const idleLimitNs = 2e9;

/** POSTs to one address, one at a time per connection, each with its whole answer. */
export class ObservedPosts {
  opened = 0;
  /** Connections that the server closed after an answer, or announced to close. */
  closedByServer = 0;
  private readonly idle: PostLine[] = [];
  private readonly lines = new Set<PostLine>();

  constructor(
    private readonly wiring: Wiring,
    private readonly heads: RequestHeads,
  ) {}

  /** Sends one body and resolves, never rejects, with its answer or with why there is none within the time limit. */
  post(path: string, body: string, timeoutMs: number): Promise<PostAnswer> {
    const head = `${this.heads.post(path, this.wiring.peer.address)}${Buffer.byteLength(body)}\r\n\r\n`;
    return new Promise((resolve) => {
      const line = this.takeIdle() ?? this.openLine();
      const timer = setTimeout(
        () => line.giveUp(`no answer to the POST within ${timeoutMs / 1000} s`),
        timeoutMs,
      );
      line.send(head + body, (answer, reusable) => {
        clearTimeout(timer);
        if (reusable) this.idle.push(line);
        else this.lines.delete(line);
        if (!reusable && answer.failure === null) this.closedByServer++;
        resolve(answer);
      });
    });
  }

  close(): void {
    for (const line of this.lines) line.destroy();
    this.lines.clear();
    this.idle.length = 0;
  }

  private takeIdle(): PostLine | undefined {
    for (;;) {
      const line = this.idle.pop();
      if (line === undefined) return undefined;
      if (!line.isGone && nowNs() - line.idleSinceNs < idleLimitNs) return line;
      line.destroy();
      this.lines.delete(line);
    }
  }

  private openLine(): PostLine {
    this.opened++;
    const line = new PostLine(this.wiring);
    this.lines.add(line);
    return line;
  }
}

type Answered = (answer: PostAnswer, reusable: boolean) => void;

class PostLine extends Connection implements HttpResponseHandler {
  idleSinceNs = 0;
  private readonly http = new HttpResponseParser(this, { maxBodyBytes: 16 * 1024 * 1024 });
  private stands = false;
  private carried = 0;
  private waiting: string | null = null;
  private answer: PostAnswer | null = null;
  private readonly body = new GrowingBytes();
  private done: Answered = () => {};

  constructor(wiring: Wiring) {
    super(wiring, 0);
    this.open();
  }

  send(request: string, done: Answered): void {
    this.done = done;
    this.answer = {
      sentNs: 0,
      status: null,
      ackNs: null,
      headers: null,
      body: '',
      note: '',
      reusedConnection: this.carried > 0,
      failure: null,
    };
    this.carried++;
    if (this.stands) this.handOver(request);
    else this.waiting = request;
  }

  giveUp(why: string): void {
    this.finish(why, false);
    this.destroy();
  }

  protected onOpen(): void {
    this.stands = true;
    if (this.waiting !== null) this.handOver(this.waiting);
  }

  private handOver(request: string): void {
    this.waiting = null;
    this.answer!.sentNs = nowNs();
    this.write(request, 'utf8', Buffer.byteLength(request));
  }

  protected onBytes(chunk: Buffer): void {
    this.http.feed(chunk);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (this.answer === null) return;
    this.answer.status = status;
    this.answer.ackNs = this.readAtNs;
    this.answer.headers = headers;
    this.answer.note = headNote(status, headers);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    this.body.append(chunk, start, Math.min(end, start + keptBytes - this.body.length));
  }

  onEnd(keepAlive: boolean): void {
    this.idleSinceNs = this.readAtNs;
    if (!keepAlive) this.socket?.end();
    this.finish(null, keepAlive);
  }

  protected onGone(reason: CloseReason): void {
    try {
      this.http.end();
    } catch {
      // Cut in mid-answer, which is said below.
    }
    this.finish(reason.message, false);
  }

  override destroy(): void {
    super.destroy();
    this.finish('the probe ended it', false);
  }

  private finish(failure: string | null, reusable: boolean): void {
    const { answer } = this;
    if (answer === null) return;
    this.answer = null;
    answer.failure = failure;
    answer.body = this.body.bytes.toString('utf8', 0, this.body.length);
    this.body.clear();
    this.done(answer, reusable);
  }
}
