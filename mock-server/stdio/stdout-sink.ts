import { fstatSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Loop } from '../time/loop.js';
import type { StreamSink } from '../sessions/stream.js';

const stdoutFd = 1;
// How long a process that ends waits for a client that does not read.
const lastWriteMs = 200;

/** Who is told what becomes of stdout. */
export interface StdoutReader {
  drained(): void;
  /** Nobody reads it any more. */
  lost(): void;
}

/** How what is written leaves: in pieces of so many bytes, or (0) whole. */
export interface StdoutPieces {
  readonly bytes: number;
  readonly gapNs: number;
}

/** stdout as one stream of lines: pipes are written without blocking the process, as fast as they are read; files at once. */
export class StdoutSink implements StreamSink {
  private readonly socket = pipeOn(stdoutFd);
  private pending: Buffer[] = [];
  private waiting = false;
  private ending: (() => void) | null = null;

  constructor(
    private readonly loop: Loop,
    private readonly pieces: StdoutPieces,
    private readonly reader: StdoutReader,
  ) {
    this.socket?.on('drain', () => {
      if (this.pending.length === 0) reader.drained();
    });
    this.socket?.on('error', () => reader.lost());
    this.socket?.on('close', () => this.ending?.());
  }

  refuse(): void {
    throw new Error('stdout refuses nothing');
  }

  start(): void {
    // There is no head.
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.pieces.bytes === 0) return this.put(chunk);
    const whole = Buffer.from(chunk as Uint8Array);
    for (let at = 0; at < whole.length; at += this.pieces.bytes)
      this.pending.push(whole.subarray(at, at + this.pieces.bytes));
    if (!this.waiting) this.next();
    return this.pending.length === 0;
  }

  end(last?: string): void {
    if (last !== undefined) this.write(last);
  }

  destroy(): void {
    this.socket?.destroy();
  }

  /** Calls back when all is written, or when nobody has read it for a while; nothing may be written any more. */
  close(done: () => void): void {
    const { socket } = this;
    if (socket === null) return done();
    let timer: unknown;
    this.ending = () => {
      this.ending = null;
      this.loop.clear(timer);
      done();
    };
    if (socket.destroyed) return this.ending();
    const finish = (): void => {
      if (this.pending.length > 0) return void this.loop.after(1, finish);
      socket.end(() => this.ending?.());
      timer = this.loop.after(lastWriteMs, () => socket.destroy());
    };
    finish();
  }

  private put(chunk: string | Uint8Array): boolean {
    if (this.socket !== null) return this.socket.writable && this.socket.write(chunk);
    writeSync(stdoutFd, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  }

  private next(): void {
    this.waiting = false;
    const piece = this.pending.shift();
    if (piece === undefined) return;
    this.put(piece);
    if (this.pending.length === 0) return this.reader.drained();
    this.waiting = true;
    this.loop.after(this.pieces.gapNs / 1e6, () => this.next());
  }
}

/** A pipe or a socket; null for a file or a terminal, which are written to at once. */
function pipeOn(fd: number): Socket | null {
  const facts = fstatSync(fd);
  return facts.isFIFO() || facts.isSocket() ? new Socket({ fd, readable: false, writable: true }) : null;
}
