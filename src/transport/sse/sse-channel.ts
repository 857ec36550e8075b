import { Failure } from '../../failure.js';
import type { Address } from '../http/address.js';
import type { CloseReason } from '../http/close-reason.js';
import type { PostChannel } from '../http/post-channel.js';
import type { Channel, ChannelHandler, Outgoing } from '../transport.js';
import { readEndpoint } from './endpoint.js';
import { readFirstEvent } from './first-event.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { SseWire } from './sse-wire.js';

/** Where a session's stream is, and whether its POSTs may go elsewhere. */
export interface StreamPlace {
  readonly address: Address;
  readonly path: string;
  readonly allowForeign: boolean;
}

/** One session's messages over HTTP+SSE: opened by a GET, once its first event has said where POSTs go. */
export class SseChannel implements Channel, StreamHandler {
  private readonly stream: StreamHandle;
  private posts: PostChannel | null = null;
  private getSentNs = 0;

  constructor(
    private readonly wire: SseWire,
    private readonly place: StreamPlace,
    private readonly handler: ChannelHandler,
  ) {
    this.stream = wire.openStream(place.path, this);
  }

  send(text: string, ascii: boolean, by: Outgoing): void {
    this.posts!.post(text, by, ascii);
  }

  agree(): void {}

  // It does from the start.
  listen(): boolean {
    return false;
  }

  get listens(): boolean {
    return true;
  }

  flush(): void {
    this.posts?.flush();
  }

  prepare(messages: number, untilNs: number): boolean {
    return this.posts === null || this.posts.prepare(messages, untilNs);
  }

  withdraw(by: Outgoing): boolean {
    return this.posts?.withdraw(by) === true;
  }

  giveUp(by: Outgoing): void {
    this.posts?.giveUp(by);
  }

  // A server has no way of knowing a stream that is closed from one that was lost.
  end(): void {
    this.stream.destroy();
    this.posts?.destroy();
  }

  onStreamConnected(atNs: number, sinceNs: number): void {
    this.getSentNs = atNs;
    this.handler.onStep('connect', sinceNs, atNs);
  }

  onStreamHead(status: number, contentType: string, note: string, atNs: number): void {
    if (this.posts !== null) return;
    if (status !== 200) {
      this.refuse(`http ${status}`, `the event stream was answered ${status}${note}`);
    } else if (!contentType.toLowerCase().startsWith('text/event-stream')) {
      this.refuse(
        'not a stream',
        `the answer is ${contentType || 'of no type'}, not text/event-stream: is this an MCP server's SSE address?`,
      );
    } else if (note !== '') {
      this.refuse('encoded', `the event stream was answered ${status}${note}: is there a proxy in between?`);
    } else {
      this.handler.onStep('headers', this.getSentNs, atNs);
    }
  }

  onStreamAlive(atNs: number): void {
    this.handler.onAlive(atNs);
  }

  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    if (this.posts === null) this.onEarlyEvent(event, buffer, start, end, atNs);
    else if (event !== 'ping' && event !== 'endpoint') this.handler.onMessage(buffer, start, end, atNs);
  }

  onStreamClosed(reason: CloseReason): void {
    this.handler.onClosed(reason);
  }

  private onEarlyEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    const first = readFirstEvent(event, buffer.toString('utf8', start, end));
    if (first === null) {
      this.handler.onMessage(buffer, start, end, atNs);
      return;
    }
    const { address, path, allowForeign } = this.place;
    const endpoint = readEndpoint(first.endpoint ?? path, address, path, allowForeign);
    if (!endpoint.ok) {
      this.refuse('endpoint', endpoint.message);
      return;
    }
    try {
      this.posts = this.wire.openPosts(endpoint.path, endpoint.address);
    } catch (error) {
      // Of another origin there may be too many, or none that our certificates are fit for.
      if (!(error instanceof Failure)) throw error;
      this.refuse('endpoint', error.message);
      return;
    }
    this.handler.onStep('endpoint', this.getSentNs, atNs);
    this.handler.onOpen(first.dialect, atNs);
  }

  private refuse(kind: string, message: string): void {
    this.end();
    this.handler.onClosed({ kind, message, truncated: false });
  }
}
