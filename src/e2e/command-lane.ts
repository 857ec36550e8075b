import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const program = fileURLToPath(new URL('run-commands.mjs', import.meta.url));
// Far more than any needs on however busy a machine: what is killed by it would not have ended.
const hangMs = 120_000;

/** How a command ended; `code` is null where it had to be killed. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that its process had meanwhile. */
  readonly peakBytes: number;
}

/**
 * Runs command lines one after the other, each to its own end, in as few processes as there are crashes. A command that
 * crashes or hangs takes its process with it, and nothing of the next ones.
 */
export class CommandLane {
  private readonly waiting = new Map<number, (end: CommandEnd) => void>();
  private child: ChildProcess | null = null;
  private closed = false;

  constructor(
    private readonly commandLines: readonly (readonly string[])[],
    private readonly folder: string,
    private readonly jobs: string,
  ) {}

  /** The ends, in the order of the command lines. */
  start(): Promise<CommandEnd>[] {
    const ends = this.commandLines.map(
      (_, at) => new Promise<CommandEnd>((resolve) => this.waiting.set(at, resolve)),
    );
    this.startFrom(0);
    return ends;
  }

  /** Kills what still runs. */
  close(): void {
    this.closed = true;
    this.child?.kill('SIGKILL');
  }

  private startFrom(first: number): void {
    if (first >= this.commandLines.length) return;
    writeFileSync(this.jobs, JSON.stringify(this.commandLines.slice(first)));
    const { GITHUB_ACTIONS: _, GITHUB_STEP_SUMMARY: __, ...env } = process.env;
    const child = spawn(process.execPath, ['--expose-gc', program, main, this.jobs], {
      cwd: this.folder,
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    let done = first;
    let stderr = '';
    let timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { at, ...end } = JSON.parse(line) as CommandEnd & { at: number };
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
      done = first + at + 1;
      this.waiting.get(first + at)!(end);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (this.closed || done >= this.commandLines.length) return;
      // As if it had been alone: a process that ends on its own before its command has ended has crashed.
      this.waiting.get(done)!({
        code,
        stdout: '',
        stderr: `${stderr}\n    at a crash or a hang`,
        peakBytes: 0,
      });
      this.startFrom(done + 1);
    });
  }
}
