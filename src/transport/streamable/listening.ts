import { strayInHead } from '../../wire/head-text.js';
import type { CloseReason } from '../http/close-reason.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { StreamableChannel } from './streamable-channel.js';

const usualRetryMs = 1000;
const longestRetryMs = 30_000;
const longestEventId = 1024;

/** The stream of a session on which its server's own messages come: a GET, made anew when it ends. */
export class Listening implements StreamHandler {
  /** It stands now. */
  isOpen = false;
  private stream: StreamHandle;
  private sentNs = 0;
  private hadOpened = false;
  private told = false;
  private lastId = '';
  private retryMs = usualRetryMs;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly channel: StreamableChannel) {
    this.stream = channel.openStream([], this);
  }

  end(): void {
    this.isOpen = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.stream.destroy();
  }

  onStreamConnected(atNs: number): void {
    this.sentNs = atNs;
  }

  onStreamHead(status: number, contentType: string, note: string, atNs: number): void {
    const { channel } = this;
    if (status === 200 && contentType === 'text/event-stream' && note === '') {
      this.isOpen = true;
      this.hadOpened = true;
      if (!this.told) channel.onListenStep(this.sentNs, atNs);
      return this.tell(atNs);
    }
    this.stream.destroy();
    // Where there never was such a stream, 404 is only another way to say 405.
    if (this.hadOpened && channel.losesSessionBy(status))
      channel.forget(`the stream for the server's own messages was answered ${status}${note}`);
    this.refused(atNs);
  }

  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    if (start < end && (event === '' || event === 'message')) this.channel.deliver(buffer, start, end, atNs);
  }

  onStreamId(id: string): void {
    this.lastId = id.length <= longestEventId && strayInHead('value', id) === null ? id : '';
  }

  onStreamRetry(ms: number): void {
    this.retryMs = Math.min(longestRetryMs, Math.max(usualRetryMs, ms));
  }

  onStreamAlive(atNs: number): void {
    this.channel.onAlive(atNs);
  }

  onStreamClosed({ truncated }: CloseReason, atNs: number): void {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    if (truncated) this.channel.onTruncated();
    if (!wasOpen) return this.refused(atNs);
    this.timer = setTimeout(() => this.reopen(), this.retryMs);
  }

  private reopen(): void {
    this.stream = this.channel.openStream(this.lastId === '' ? [] : [['Last-Event-ID', this.lastId]], this);
  }

  private refused(atNs: number): void {
    this.channel.counts.listenRefused++;
    this.tell(atNs);
  }

  private tell(atNs: number): void {
    if (this.told) return;
    this.told = true;
    this.channel.onListening(atNs);
  }
}
