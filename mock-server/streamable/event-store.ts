/** One event as it was, or should have been, written. */
export interface StoredEvent {
  readonly stream: number;
  readonly sequence: number;
  readonly text: string;
  /** It carries a response. */
  readonly responses: number;
  /** It has been written to some stream. */
  written: boolean;
}

/** The last events of a session, for clients that come back with Last-Event-ID. */
export class EventStore {
  private readonly events: StoredEvent[] = [];

  constructor(
    private readonly most: number,
    /** Told of every response that nobody has got when it is forgotten. */
    private readonly lost: () => void,
  ) {}

  put(event: StoredEvent): void {
    this.events.push(event);
    if (this.events.length > this.most) this.forget(this.events.shift()!);
  }

  /** The events of a stream that came after one of its events. */
  after(stream: number, sequence: number): StoredEvent[] {
    return this.events.filter((event) => event.stream === stream && event.sequence > sequence);
  }

  clear(): void {
    for (const event of this.events.splice(0)) this.forget(event);
  }

  private forget({ responses, written }: StoredEvent): void {
    if (responses > 0 && !written) this.lost();
  }
}

/** The stream and the place in it that an event id names; undefined for one that was never given out. */
export function readEventId(text: string): { stream: number; sequence: number } | undefined {
  const found = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  return found ? { stream: Number(found[1]), sequence: Number(found[2]) } : undefined;
}
