import type { Loop } from '../time/loop.js';
import type { Session } from './session.js';
import type { Stream } from './stream.js';

// Thousands of streams served in the same millisecond would be a burst that no real server sends.
const slices = 8;

/** Does something to each open stream at a regular interval, spread over it, with one timer for all streams. */
export class Pulse<Owner extends { readonly ordinal: number } = Session> {
  private timer: unknown;
  private tick = 0;

  constructor(
    private readonly loop: Loop,
    private readonly everyNs: number,
    private readonly open: readonly Stream<Owner>[],
    private readonly run: (stream: Stream<Owner>) => void,
  ) {
    this.arm();
  }

  stop(): void {
    this.loop.clear(this.timer);
  }

  private arm(): void {
    this.timer = this.loop.after(Math.max(1, Math.round(this.everyNs / 1e6 / slices)), () => this.beat());
  }

  private beat(): void {
    const slice = this.tick++ % slices;
    for (const stream of this.open.slice()) if (stream.session.ordinal % slices === slice) this.run(stream);
    this.arm();
  }
}
