import { nowNs } from '../../clock.js';
import type { CloseReason } from '../http/close-reason.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { Exchange } from './exchange.js';
import type { StreamableChannel } from './streamable-channel.js';

/** Asks, after a while, for the rest of a reply that broke off: a GET with the id of the last event that came. */
export class Resumption implements StreamHandler {
  private stream: StreamHandle | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly exchange: Exchange,
    channel: StreamableChannel,
    lastId: string,
    delayMs: number,
  ) {
    this.timer = setTimeout(() => {
      this.stream = channel.openStream([['Last-Event-ID', lastId]], this);
    }, delayMs);
  }

  /** Nothing more is heard of it. */
  end(): void {
    clearTimeout(this.timer);
    this.stream?.destroy();
  }

  onStreamConnected(): void {}

  onStreamHead(status: number, contentType: string, note: string, atNs: number): void {
    if (status === 200 && contentType === 'text/event-stream' && note === '') return;
    const what = status === 200 ? `200 with ${contentType || 'no type'}${note}` : `${status}${note}`;
    this.exchange.onResumeRefused(
      status,
      `the reply broke off, and its resumption was answered ${what}`,
      atNs,
    );
  }

  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    this.exchange.onResumedEvent(event, buffer, start, end, atNs);
  }

  onStreamId(id: string): void {
    this.exchange.onEventId(id);
  }

  onStreamRetry(ms: number): void {
    this.exchange.onEventRetry(ms);
  }

  onStreamAlive(): void {}

  onStreamClosed({ message }: CloseReason): void {
    this.exchange.onResumedBreak(message, nowNs());
  }
}
