import type { CloseReason } from './close-reason.js';

/** Who hears what happens to a stream of events: nothing before the call that opened it has returned. */
export interface StreamHandler {
  /** The connection, begun at `sinceNs`, stands (TCP, TLS) and the GET is handed to it. */
  onStreamConnected(atNs: number, sinceNs: number): void;
  /** `note` completes a sentence about the answer where it is of no use, and is '' otherwise. */
  onStreamHead(status: number, contentType: string, note: string, atNs: number): void;
  /** One event; the data is bytes [start, end) of `buffer`, valid only during the call. */
  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void;
  /** The id of the event that is told next. */
  onStreamId?(id: string): void;
  /** For how long to wait before connecting again, as the server would have it. */
  onStreamRetry?(ms: number): void;
  /** Some bytes came, be it only a comment. */
  onStreamAlive(atNs: number): void;
  /** The stream is over, once; not called after `destroy`. */
  onStreamClosed(reason: CloseReason, atNs: number): void;
}

export interface StreamHandle {
  /** Lets the socket go away at once; the handler hears nothing more. */
  destroy(): void;
}
