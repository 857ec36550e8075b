import type { PendingPost } from '../http/post-channel.js';
import type { ReplyCounts } from '../traffic.js';

// A server that takes longer to end a session is left with it.
const limitMs = 2000;

/** Tells the server, by DELETE, that a session is over, and then lets go of what carried it. */
export class Farewell implements PendingPost {
  readonly body = '';
  readonly ascii = true;
  readonly by = this;
  private readonly timer: NodeJS.Timeout;
  private isOver = false;
  private tellOver: () => void = () => {};
  /** Resolves when it is over. */
  readonly over = new Promise<void>((resolve) => (this.tellOver = resolve));

  constructor(
    readonly head: string,
    readonly channel: object,
    private readonly counts: ReplyCounts,
    private readonly onOver: () => void,
  ) {
    this.timer = setTimeout(() => this.end('left'), limitMs);
  }

  onSent(): void {}

  onHead(status: number): void {
    this.end(status >= 200 && status < 300 ? 'deleted' : 'deleteRefused');
  }

  onBody(): void {}

  onPaused(): void {}

  onEnd(): void {}

  onLost(): void {
    this.end('left');
  }

  end(how: 'deleted' | 'deleteRefused' | 'left'): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.counts[how]++;
    this.onOver();
    this.tellOver();
  }
}
