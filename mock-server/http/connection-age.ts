import type { Socket } from 'node:net';

/** Counts the looks at all connections: a clock that stands still with the server. */
export interface TickClock {
  readonly tick: number;
}

/** How many looks a connection may stay as it is. */
export interface TickLimits {
  readonly idle: number;
  readonly request: number;
  readonly unread: number;
  readonly closing: number;
}

/** How long a connection has been as it is. */
export class ConnectionAge {
  private sinceTick: number;
  private takenTick: number;
  private takenBytes = -1;

  constructor(private readonly clock: TickClock) {
    this.sinceTick = clock.tick;
    this.takenTick = clock.tick;
  }

  get ticks(): number {
    return this.clock.tick - this.sinceTick;
  }

  restart(): void {
    this.sinceTick = this.clock.tick;
  }

  /** For how long its peer has taken nothing of what waits for it; to be asked at every look. */
  stalledTicks(socket: Socket): number {
    const waits = socket.writableLength;
    const takenBytes = waits === 0 ? -1 : socket.bytesWritten - waits;
    if (waits === 0 || takenBytes !== this.takenBytes) {
      this.takenBytes = takenBytes;
      this.takenTick = this.clock.tick;
    }
    return this.clock.tick - this.takenTick;
  }
}
