import { nowNs } from '../../clock.js';
import { LineParser } from '../../wire/line-parser.js';
import { WireError } from '../../wire/wire-error.js';
import { cut } from '../../text/cut.js';
import { oneLine } from '../../text/one-line.js';
import type { Reader } from '../held-reads.js';
import type { Traffic } from '../traffic.js';
import type { Channel, ChannelEnding, ChannelHandler, Outgoing } from '../transport.js';
import type { Gatherer, Turn } from '../turn.js';
import type { PipesListener, PipesLoss, ServerPipes } from './server-pipes.js';

/** What a channel needs of the transport that it belongs to. */
export interface ChannelOwner {
  readonly turn: Turn;
  readonly traffic: Traffic;
  /** Starts a server for a channel as soon as others leave it the room; the channel is told by `begin`. */
  start(channel: StdioChannel): void;
  /** The server of a channel has said something, or is gone. */
  onStarted(channel: StdioChannel): void;
  /** Nobody needs the server of a channel any more. */
  end(channel: StdioChannel, pipes: ServerPipes | null, atOnce: boolean): void;
}

interface Waiting {
  readonly text: string;
  readonly ascii: boolean;
  readonly by: Outgoing;
}

// What is written beyond what a pipe holds waits in this process and not in our queue, where it would be seen: so it is little.
const mostAtOnce = 64 * 1024;
const longestExample = 200;
const exampleBytes = 4 * longestExample;
const [space, brace, bracket] = [0x20, 0x7b, 0x5b];

/** One session's messages over the pipes of a process of its own: each a line, all of a turn in one write. */
export class StdioChannel implements Channel, PipesListener, Gatherer, Reader {
  readonly listens = false;
  private readonly lines: LineParser;
  private pipes: ServerPipes | null = null;
  private waiting: Waiting[] = [];
  private flushing = false;
  /** Since when the pipe has been free, after it was full; 0 where it never was. */
  private freeSinceNs = 0;
  private blocked = false;
  private readAtNs = 0;
  private heard = false;
  private over = false;

  constructor(
    private readonly owner: ChannelOwner,
    private readonly handler: ChannelHandler,
  ) {
    this.lines = new LineParser((buffer, start, end) => this.onLine(buffer, start, end));
    setImmediate(() => {
      if (!this.over) owner.start(this);
    });
  }

  get isOver(): boolean {
    return this.over;
  }

  /** The process has been asked for at `sinceNs`, and is there, or will be found not to be. */
  begin(pipes: ServerPipes, sinceNs: number, atNs: number): void {
    this.pipes = pipes;
    if (pipes.pid === null) return;
    this.handler.onStep('spawn', sinceNs, atNs, true);
    this.handler.onOpen('classic', atNs);
  }

  send(text: string, ascii: boolean, by: Outgoing): void {
    if (this.over) return by.onFailed(true, 'the session ended', nowNs());
    this.waiting.push({ text, ascii, by });
    if (this.flushing) return;
    this.flushing = true;
    this.owner.turn.flushLater(this);
  }

  // What has been agreed on is not repeated, and messages come unasked from the start.
  agree(): void {}

  listen(): boolean {
    return false;
  }

  prepare(): boolean {
    return true;
  }

  flush(): void {
    this.flushing = false;
    const { pipes } = this;
    if (pipes === null) return;
    while (this.waiting.length > 0 && !this.over && !pipes.isBlocked) this.writeSome(pipes);
    this.blocked = pipes.isBlocked;
  }

  withdraw(by: Outgoing): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((each) => each.by !== by);
    return this.waiting.length < before;
  }

  // What has been written cannot be taken back.
  giveUp(by: Outgoing): void {
    this.withdraw(by);
  }

  end(how: ChannelEnding): void {
    if (this.over) return;
    // A last answer, or the word that nobody waits for one.
    if (how === 'close') this.flush();
    this.over = true;
    const unsent = this.waiting;
    this.waiting = [];
    this.lines.reset();
    this.owner.end(this, this.pipes, how === 'abandon');
    const atNs = nowNs();
    for (const { by } of unsent) by.onFailed(true, 'the session ended', atNs);
  }

  onRead(chunk: Buffer): void {
    const atNs = nowNs();
    const { turn, traffic } = this.owner;
    turn.beginRead(atNs);
    traffic.bytesIn += chunk.length;
    if (!this.heard) {
      this.heard = true;
      this.owner.onStarted(this);
    }
    if (turn.held.keeping) turn.keepRead(this, chunk, atNs);
    else this.onHeldRead(chunk, atNs);
  }

  onHeldRead(chunk: Buffer, atNs: number): void {
    if (this.over) return;
    this.readAtNs = atNs;
    try {
      this.handler.onAlive(atNs);
      this.lines.feed(chunk);
    } catch (error) {
      this.close(...this.faultOf(error), false);
    }
  }

  onWritten(): void {
    if (!this.blocked) return;
    this.blocked = false;
    this.freeSinceNs = nowNs();
    this.owner.turn.begin(this.freeSinceNs);
    this.flush();
  }

  onPipesOver({ kind, message, code }: PipesLoss): void {
    // What it said before comes before its end.
    this.owner.turn.held.handleAll();
    const { limitsHit } = this.owner.traffic;
    if (kind === 'limit') limitsHit[code] = (limitsHit[code] ?? 0) + 1;
    this.close(kind, message, this.lines.end());
  }

  private onLine(buffer: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end && buffer[at]! <= space) at++;
    if (at === end || this.over) return;
    if (buffer[at] === brace || buffer[at] === bracket) {
      this.handler.onMessage(buffer, at, end, this.readAtNs);
      return;
    }
    const { pipes } = this.owner.traffic;
    if (pipes.otherLines++ > 0) return;
    const text = buffer.toString('utf8', at, Math.min(end, at + exampleBytes));
    pipes.otherLine = cut(oneLine(text), longestExample);
  }

  /** Hands over as many messages as go well together: all of a turn, mostly. */
  private writeSome(pipes: ServerPipes): void {
    const { waiting } = this;
    let count = 0;
    let text = '';
    let ascii = true;
    while (count < waiting.length && text.length < mostAtOnce) {
      const next = waiting[count++]!;
      text += `${next.text}\n`;
      ascii &&= next.ascii;
    }
    const leaving = count === waiting.length ? waiting : waiting.slice(0, count);
    this.waiting = count === waiting.length ? [] : waiting.slice(count);
    const atNs = nowNs();
    this.owner.traffic.bytesOut += ascii ? text.length : Buffer.byteLength(text);
    // A pure-ASCII string is the same in latin1, which is copied and not encoded.
    pipes.write(text, ascii ? 'latin1' : 'utf8');
    for (const { by } of leaving) {
      by.onSent(atNs, 0, 0, this.freeSinceNs);
      // Nobody will say that it has been accepted.
      if (by.answered) by.onAccepted('', 'none', nowNs());
    }
  }

  private faultOf(error: unknown): [kind: string, message: string] {
    if (error instanceof WireError) return ['protocol', error.message];
    const { internalErrors } = this.owner.traffic;
    const message = `mcp-bench failed on what the server sent: ${String(error)}`;
    if (internalErrors.count++ === 0) internalErrors.example = message;
    return ['internal', message];
  }

  private close(kind: string, message: string, truncated: boolean): void {
    if (this.over) return;
    this.handler.onClosed({ kind, message, truncated });
    this.end('abandon');
  }
}
