import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { nowNs } from '../../clock.js';
import { LastWords } from '../../machine/last-words.js';
import { redact } from '../../text/secrets.js';
import type { CommandPlan } from '../../scenario/plan.js';
import type { PipeCounts } from '../traffic.js';
import type { Turn } from '../turn.js';

/** Who speaks to a process, and hears what becomes of it. */
export interface PipesListener {
  onRead(chunk: Buffer): void;
  /** Its input has taken all that was written to it. */
  onWritten(): void;
  /** It can be spoken to no more, once; not after `leave`. */
  onPipesOver(loss: PipesLoss): void;
}

/** `limit`: a limit of this machine kept it from being started, by this code. */
export interface PipesLoss {
  readonly kind: 'spawn' | 'limit' | 'exited' | 'ended';
  readonly message: string;
  readonly code: string;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

// What it said last, and how it ended, come by other ways than the end of its output.
const lastWordsMs = 250;
const longText = 4096;
const ownLimits = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** A server that is a process in a group of its own, and its three pipes: all that it writes is read at once, whatever it takes itself. */
export class ServerPipes {
  /** null where it could not be started. */
  readonly pid: number | null;
  /** Resolves once the process has ended, or could not be started. */
  readonly exited: Promise<void>;
  /** How it ended; null while it lives. */
  outcome: string | null = null;
  private readonly child: Child | null;
  private readonly words = new LastWords();
  private readonly onWritten = (): void => {
    if (this.listener !== null && !this.isBlocked) this.listener.onWritten();
  };
  private overTimer: NodeJS.Timeout | null = null;
  private outputEnded = false;

  constructor(
    command: CommandPlan,
    private readonly turn: Turn,
    private readonly counts: PipeCounts,
    private listener: PipesListener | null,
  ) {
    let exited = (): void => {};
    this.exited = new Promise((resolve) => (exited = resolve));
    let child: Child;
    try {
      child = start(command);
    } catch (error) {
      this.child = null;
      this.pid = null;
      setImmediate(() => this.fail(error as NodeJS.ErrnoException, exited));
      return;
    }
    this.pid = child.pid ?? null;
    child.once('error', (error) => this.fail(error, exited));
    // Where no descriptor was left it has no pipes either.
    this.child = this.pid === null ? null : child;
    if (this.child === null) return;
    this.child.once('exit', (code, signal) => {
      this.outcome = signal === null ? `exit code ${code}` : `signal ${signal}`;
      exited();
      this.overSoon();
    });
    this.listenTo(this.child);
  }

  /** Its input still has to take what was written before. */
  get isBlocked(): boolean {
    return this.child !== null && this.child.stdin.writableLength > 0;
  }

  write(text: string, encoding: BufferEncoding): void {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) return;
    // Node tries at once to write short texts and all buffers; of a long text it says only later that the pipe has taken it.
    if (text.length < longText) stdin.write(text, encoding, this.onWritten);
    else stdin.write(Buffer.from(text, encoding), this.onWritten);
  }

  /** Nobody hears of it any more. `atOnce`: its pipes break; else its input ends, and what it still says is read. */
  leave(atOnce: boolean): void {
    this.listener = null;
    if (this.overTimer !== null) clearTimeout(this.overTimer);
    if (this.child === null) return;
    this.child.stdin.end();
    if (atOnce) this.release();
  }

  /** Lets go of its pipes, which somebody may have inherited from it. */
  release(): void {
    for (const pipe of [this.child?.stdin, this.child?.stdout, this.child?.stderr]) pipe?.destroy();
  }

  private listenTo({ stdin, stdout, stderr }: Child): void {
    stdin.on('error', () => this.overSoon());
    stdout.on('data', (chunk: Buffer) => this.listener?.onRead(chunk));
    stdout.on('error', () => {});
    stdout.on('close', () => {
      this.outputEnded = true;
      this.overSoon();
    });
    stderr.on('data', (chunk: Buffer) => {
      this.turn.begin(nowNs());
      this.counts.stderrBytes += chunk.length;
      this.words.add(chunk);
    });
    stderr.on('error', () => {});
  }

  /** Part of it is gone; the rest is waited for only to say why. */
  private overSoon(): void {
    if (this.listener === null) return;
    if (this.outcome !== null && this.outputEnded && this.child!.stderr.destroyed) this.beOver();
    else this.overTimer ??= setTimeout(() => this.beOver(), lastWordsMs);
  }

  private beOver(): void {
    const { outcome } = this;
    const words = redact(this.words.text);
    const said = words === '' ? '' : ` (it said: ${words})`;
    if (outcome !== null) this.tell('exited', `its process ended: ${outcome}${said}`);
    else if (this.outputEnded) this.tell('ended', `the server closed its standard output${said}`);
    else this.tell('ended', `the server closed its standard input${said}`);
  }

  private fail(error: NodeJS.ErrnoException, exited: () => void): void {
    this.outcome = 'never started';
    exited();
    const { code = '', message } = error;
    const text = code === 'ENOENT' ? `${message.replace(/^spawn /, '')}: no such command or folder` : message;
    this.tell(ownLimits.has(code) ? 'limit' : 'spawn', `the server cannot be started: ${text}`, code);
  }

  private tell(kind: PipesLoss['kind'], message: string, code = ''): void {
    if (this.overTimer !== null) clearTimeout(this.overTimer);
    const { listener } = this;
    this.listener = null;
    listener?.onPipesOver({ kind, message, code });
  }
}

function start({ command, env, cwd }: CommandPlan): Child {
  const [file = '', ...args] = command;
  return spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    // A group of its own: it is ended as a whole, and Ctrl-C is for us.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
