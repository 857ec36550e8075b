import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { LastWords } from './last-words.js';
import { ProcessTree } from './process-tree.js';
import { Watchdog } from './watchdog.js';
import { redact } from '../text/secrets.js';

/** How to start a server: a text is run by a shell, a list is run as it stands. */
export interface ServerCommand {
  readonly command: string | readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const longestWords = 300;
const graceMs = 5000;

/** A server in a process group of its own: started, listened to, and ended as a whole. It never outlives us. */
export class ServerProcess {
  /** How it ended: `exit code 1`, `killed by SIGSEGV`, `cannot be started: …`; pending while it lives. */
  readonly ended: Promise<string>;
  /** All that came from it; null where the command could not be started. */
  readonly tree: ProcessTree | null;
  private readonly child: ChildProcess;
  /** Of its standard output, and of its standard error. */
  private readonly said = [new LastWords(), new LastWords()];
  private howEnded: string | null = null;
  private readonly watchdog = new Watchdog();

  constructor({ command, cwd, env }: ServerCommand) {
    const [file, ...args] = typeof command === 'string' ? [command] : command;
    this.child = spawn(file!, args, {
      cwd,
      env: { ...env },
      shell: typeof command === 'string',
      // A group of its own: Ctrl-C is for us, who end it when the calls in flight are answered.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.tree = this.child.pid === undefined ? null : new ProcessTree(this.child.pid);
    this.ended = new Promise((resolve) => {
      const settle = (how: string): void => {
        this.howEnded ??= how;
        resolve(this.howEnded);
      };
      this.child.once('error', (error) => settle(`cannot be started: ${error.message}`));
      this.child.once('exit', (code, signal) =>
        settle(signal === null ? `exit code ${code}` : `killed by ${signal}`),
      );
    });
    for (const [at, stream] of [this.child.stdout, this.child.stderr].entries()) {
      stream?.on('data', (chunk: Buffer) => this.said[at]!.add(chunk));
      stream?.on('error', () => {});
    }
    if (this.child.pid !== undefined) this.watchdog.watch(this.child.pid);
  }

  /** Leader of the group; null where the command could not be started. */
  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** How it ended, or null while it lives. */
  get outcome(): string | null {
    return this.howEnded;
  }

  /** The last it said, in a line, for whoever looks for the reason of its end. */
  lastWords(): string {
    const words = this.said.map(({ text }) => text).filter((text) => text !== '');
    return redact(words.join(' | ')).slice(-longestWords);
  }

  /** Ends the whole group with SIGTERM, and whatever is left of it after some seconds, or has left the group, with SIGKILL. */
  async stop(): Promise<void> {
    // Whoever is known now is recognised when its parents are gone.
    this.tree?.members();
    if (this.signal('SIGTERM') && !(await this.gone(graceMs))) {
      this.signal('SIGKILL');
      await this.gone(graceMs);
    }
    for (const pid of this.tree?.members() ?? []) kill(pid, 'SIGKILL');
    await this.ended;
    if (this.pid !== null) this.watchdog.forget(this.pid);
    this.watchdog.close();
    // A stranger that inherited its pipes must not keep us waiting for their end.
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Whether all have ended. The dead whom nobody has waited for still take signals: where there is no init, that is for ever. */
  private async gone(limitMs: number): Promise<boolean> {
    for (const end = performance.now() + limitMs; performance.now() < end; await delay(10))
      if (!this.signal(0) || this.tree!.members()?.length === 0) return true;
    return false;
  }

  private signal(signal: NodeJS.Signals | 0): boolean {
    return this.pid !== null && kill(-this.pid, signal);
  }
}

/** Sends a signal to a process, or to a group by its negative id; false where nobody is left to get it. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
