import type { StreamableOptions } from './streamable-options.js';

/** How events are written on the streams of the endpoint. */
export class EventText {
  /** What goes before the data of an event without an id, and after that of any. */
  private readonly head: string;
  private readonly tail: string;
  private readonly endOfLine: string;
  private readonly name: string;

  constructor(private readonly options: StreamableOptions) {
    const eol = (this.endOfLine = options.lineEnding === 'crlf' ? '\r\n' : '\n');
    this.name = options.eventName === 'message' ? `event: message${eol}` : '';
    this.head = `${this.name}data: `;
    this.tail = eol + eol;
  }

  /** `id` '' for an event without one. */
  event(data: string, id = ''): string {
    if (id === '') return this.head + data + this.tail;
    return `${this.name}id: ${id}${this.endOfLine}data: ${data}${this.tail}`;
  }

  /** The event that only says from where a stream can be resumed. */
  prime(id: string): string {
    const { endOfLine: eol, options } = this;
    const name = options.prime === 'named' ? `event: prime${eol}` : '';
    return `${name}id: ${id}${eol}${this.retryLine()}data: ${this.tail}`;
  }

  retryLine(): string {
    const { retry } = this.options;
    return retry > 0 ? `retry: ${Math.round(retry / 1e6)}${this.endOfLine}` : '';
  }

  comment(text: string): string {
    return `: ${text}${this.tail}`;
  }
}
