import { Fifo } from '../../fifo.js';

/**
 * Lets so many connections at a time be under way between the connect and the server's first answer, and the rest wait:
 * a listen queue that overflows costs a second's retransmission each, and would be measured as the server's slowness.
 */
export class ConnectGate {
  private underWay = 0;
  private readonly waiting = new Fifo<() => void>();

  constructor(private readonly limit: number) {}

  /** Calls `start` now or when a place is free; whoever was started calls `leave` exactly once. */
  enter(start: () => void): void {
    if (this.underWay < this.limit) {
      this.underWay++;
      start();
    } else {
      this.waiting.push(start);
    }
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.underWay--;
    else next();
  }
}
