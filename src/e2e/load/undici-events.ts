import { createParser } from 'eventsource-parser';
import type { Client, Dispatcher } from 'undici';

/** Who hears of a stream of events. */
export interface UndiciEventsHandler {
  onHead(status: number): void;
  onEvent(data: Buffer, id: string | undefined, retryMs: number | undefined): void;
  /** It is over; not after `destroy`. */
  onOver(message: string): void;
}

/** One stream of events by GET, on a connection of its own. */
export class UndiciEvents {
  private isOver = false;

  constructor(
    private readonly client: Client,
    request: Dispatcher.DispatchOptions,
    heard: UndiciEventsHandler,
  ) {
    const decoder = new TextDecoder();
    let retryMs: number | undefined;
    const parser = createParser({
      onRetry: (ms) => (retryMs = ms),
      onEvent: ({ data, id }) => {
        if (!this.isOver) heard.onEvent(Buffer.from(data), id, retryMs);
      },
    });
    const end = (message: string): void => {
      if (this.isOver) return;
      this.destroy();
      heard.onOver(message);
    };
    client.dispatch(request, {
      onRequestStart: () => {},
      onResponseStart: (_, status) => {
        if (this.isOver) return;
        heard.onHead(status);
        if (status !== 200) this.destroy();
      },
      onResponseData: (_, chunk) => {
        if (!this.isOver) parser.feed(decoder.decode(chunk, { stream: true }));
      },
      onResponseEnd: () => end('the server ended the stream'),
      onResponseError: (_, error) => end(error.message),
    });
  }

  destroy(): void {
    this.isOver = true;
    void this.client.destroy();
  }
}
