import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import { nowNs } from '../../clock.js';
import type { Outgoing } from '../../transport/transport.js';
import type { UndiciEvents } from './undici-events.js';
import type { UndiciChannel } from './undici-streamable.js';

const ended = new Error('the session ended');

/** One POST of Streamable HTTP and its reply, on undici. */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private isSent = false;
  private status = 0;
  private kind: 'none' | 'json' | 'events' = 'none';
  private chunks: Buffer[] = [];
  private parser: EventSourceParser | null = null;
  private readonly decoder = new TextDecoder();
  /** What has come behind the last whole event. */
  private unfinished = '';
  private hasBegun = false;
  private lastId = '';
  private retryMs = 1000;
  private retryTimer: NodeJS.Timeout | null = null;
  private resumption: UndiciEvents | null = null;
  private isOver = false;

  constructor(
    private readonly channel: UndiciChannel,
    private readonly by: Outgoing,
    private readonly asksForSession: boolean,
    private readonly onOver: () => void,
  ) {}

  withdraw(): boolean {
    if (this.isSent || this.isOver) return false;
    this.over();
    return true;
  }

  giveUp(): void {
    if (this.isOver) return;
    const { controller } = this;
    this.over();
    controller?.abort(ended);
  }

  /** Its session has gone: what was not handed over never will be, and nobody waits for the answer to the rest. */
  leave(): void {
    if (this.isOver) return;
    const { controller } = this;
    this.fail(!this.isSent, ended.message);
    controller?.abort(ended);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) return controller.abort(ended);
    this.controller = controller;
    this.isSent = true;
    // Its connections are undici's own business: what their making takes is not told apart.
    this.by.onSent(nowNs(), 0, 0, 0);
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200 || this.isOver) return;
    const { channel, by } = this;
    this.status = status;
    channel.handler.onAlive(nowNs());
    const type = String(headers['content-type'] ?? '').split(';')[0]!;
    if (type === 'application/json') this.kind = 'json';
    if (status >= 300) return;
    if (this.asksForSession) channel.takeSessionId(headers['mcp-session-id']);
    else channel.work();
    if (type === 'text/event-stream') {
      this.kind = 'events';
      this.parser = createParser({
        onRetry: (ms) => (this.retryMs = ms),
        onEvent: ({ data, id }) => this.onEvent(Buffer.from(data), id),
      });
    }
    by.onAccepted('', this.kind, nowNs());
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.isOver) return;
    if (this.parser === null) return void this.chunks.push(chunk);
    const text = this.decoder.decode(chunk, { stream: true });
    this.unfinished = (this.unfinished + text).split(/\r?\n\r?\n/).at(-1)!;
    this.parser.feed(text);
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    const { by, channel, kind, status } = this;
    const body = Buffer.concat(this.chunks);
    if (status >= 300) return this.refuse(body);
    if (kind === 'json' && body.length > 0) channel.handler.onMessage(body, 0, body.length, nowNs());
    if (kind === 'events' && this.resume()) return;
    this.over();
    by.onReplyEnded(nowNs(), false);
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.isOver) return;
    if (this.kind === 'events' && this.status < 300 && this.resume()) return;
    this.fail(!this.isSent, error.message);
  }

  private onEvent(data: Buffer, id: string | undefined): void {
    const { by, channel } = this;
    if (channel.isOver) return;
    this.lastId = id ?? this.lastId;
    if (data.length === 0) {
      if (id !== undefined) channel.counts.priming++;
      return;
    }
    if (!this.hasBegun) by.onFirstMessage(nowNs());
    this.hasBegun = true;
    channel.handler.onMessage(data, 0, data.length, nowNs());
  }

  /** Asks for the rest of a stream that has ended without its response; false where there is no way to. */
  private resume(): boolean {
    const { by, channel } = this;
    this.controller = null;
    if (!channel.isOver && this.unfinished.trim() !== '') channel.handler.onTruncated();
    this.unfinished = '';
    if (by.answered || !channel.resumes || this.lastId === '') return false;
    channel.counts.resumed++;
    this.retryTimer = setTimeout(() => {
      this.resumption = channel.events(this.lastId, {
        onHead: (status) => {
          if (status !== 200) this.resumeRefused(status);
        },
        onEvent: (data, id, retryMs) => {
          this.retryMs = retryMs ?? this.retryMs;
          this.onEvent(data, id);
          if (!by.answered || this.isOver) return;
          this.over();
          by.onReplyEnded(nowNs(), true);
        },
        onOver: (message) => {
          if (!this.isOver && !this.resume()) this.fail(false, message);
        },
      });
    }, this.retryMs);
    return true;
  }

  private resumeRefused(status: number): void {
    const { by, channel } = this;
    channel.counts.resumeRefused++;
    if (!channel.forgetsBy(status, `its resumption was answered ${status}`))
      return this.fail(false, 'refused');
    this.over();
    by.onRefused(refusalOf(status), nowNs());
  }

  private refuse(body: Buffer): void {
    const { by, channel, status } = this;
    const isResponse = this.kind === 'json' && body.length > 0;
    const text = body.toString();
    this.over();
    if (isResponse) {
      // In its body a 404 may mean the method and not the session.
      if (status === 404 && !text.includes('-32601')) channel.forgetsBy(status, text);
      by.onAccepted('', 'none', nowNs());
      channel.handler.onRefusalBody(body, 0, body.length, nowNs());
      if (by.answered) return by.onReplyEnded(nowNs(), false);
    }
    channel.forgetsBy(status, text);
    by.onRefused(refusalOf(status), nowNs());
  }

  private fail(unsent: boolean, message: string): void {
    this.over();
    this.by.onFailed(unsent, message, nowNs());
  }

  private over(): void {
    this.isOver = true;
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.resumption?.destroy();
    this.onOver();
  }
}

function refusalOf(status: number): { status: number; kind: string; text: string; serverIsThere: boolean } {
  return { status, kind: `http ${status}`, text: `was answered ${status}`, serverIsThere: status < 500 };
}
