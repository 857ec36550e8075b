import { type ChildProcess, spawn } from 'node:child_process';
import { programOptions, say } from '../child-program.js';

// A program: a loop of `spawn` that holds so many processes and their pipes, for what that alone takes.

export interface ProcessHolderOptions {
  readonly command: readonly string[];
  readonly processes: number;
}

export interface ProcessHolderFigures {
  readonly readyMs: number;
  /** With the first process there, and with all of them. */
  readonly residentBytes: { readonly first: number; readonly open: number };
}

const { command, processes } = programOptions<ProcessHolderOptions>();
const [file, ...args] = command;
const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';
const startMs = performance.now();
const children: ChildProcess[] = [];
await startOne();
const first = process.memoryUsage.rss();
// As the generator does: so many at a time as there are cores.
await Promise.all([startSome(), startSome()]);
const readyMs = performance.now() - startMs;
say({ readyMs, residentBytes: { first, open: process.memoryUsage.rss() } } satisfies ProcessHolderFigures);
for (const child of children) child.kill('SIGKILL');

async function startSome(): Promise<void> {
  while (children.length < processes) await startOne();
}

async function startOne(): Promise<void> {
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  children.push(child);
  child.stderr.resume();
  await new Promise<void>((resolve) => {
    child.stdout.on('data', () => resolve());
    child.stdin.write(hello);
  });
}
