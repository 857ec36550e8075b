import { spawn } from 'node:child_process';
import { nowNs } from '../../../src/clock.js';
import { programOptions, say } from '../child-program.js';
import { measureWindow, type WindowFigures } from './measured-window.js';

// A program: the bare loops that calls over stdio are held against, on one process. Both write once for all answers of a read. One writes
// the same request again and again and looks for the ends of lines alone; the other does what a client has to: ids of their own, parsed
// answers, and a look at which request each belongs to, and how long it took.

export interface LineLoopOptions {
  readonly command: readonly string[];
  readonly inFlight: number;
  readonly matches: boolean;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export interface LineLoopFigures extends WindowFigures {
  readonly p50Ns: number;
}

const { command, inFlight, matches, warmupSeconds, seconds } = programOptions<LineLoopOptions>();
const [file, ...args] = command;
const request = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello ${id}"}}}\n`;
const same = request(100_000);
const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const times: number[] = [];
const waiting = new Map<number, number>();
let nextId = 100_000;
let done = 0;
let sentNs = 0;
let held = '';
child.stdout.on('data', matches ? take : count);
child.stdin.write(next(inFlight), 'latin1');
const window = await measureWindow(warmupSeconds, seconds, () => done);
const sorted = times.slice(-window.done).sort((a, b) => a - b);
say({ ...window, p50Ns: sorted[sorted.length >> 1] ?? 0 } satisfies LineLoopFigures);
child.kill('SIGKILL');
process.exit(0);

function count(chunk: Buffer): void {
  const atNs = nowNs();
  let ended = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) ended++;
  if (ended === 0) return;
  done += ended;
  if (inFlight === 1) times.push(atNs - sentNs);
  child.stdin.write(next(ended), 'latin1');
}

function take(chunk: Buffer): void {
  const atNs = nowNs();
  const lines = (held + chunk.toString('utf8')).split('\n');
  held = lines.pop()!;
  for (const line of lines) {
    const { id } = JSON.parse(line) as { id: number };
    times.push(atNs - waiting.get(id)!);
    waiting.delete(id);
  }
  done += lines.length;
  if (lines.length > 0) child.stdin.write(next(lines.length), 'latin1');
}

function next(calls: number): string {
  sentNs = nowNs();
  if (!matches) return same.repeat(calls);
  let text = '';
  for (let i = 0; i < calls; i++) {
    waiting.set(nextId, sentNs);
    text += request(nextId++);
  }
  return text;
}
