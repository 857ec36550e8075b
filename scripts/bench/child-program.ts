import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of ours that runs in a process of its own until it is stopped. */
export interface RunningProgram<Said> {
  readonly pid: number;
  /** What it said first. */
  readonly said: Said;
  stop(): Promise<void>;
}

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Runs a program beside this file (`clients/sdk-client`) to its end and returns the JSON that it said last. */
export async function runProgram<Said>(
  name: string,
  options: unknown,
  limitMs: number,
  onStarted?: (pid: number) => void,
): Promise<Said> {
  const child = spawnProgram(name, options);
  onStarted?.(child.pid!);
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const code = await ended(child);
  clearTimeout(timer);
  if (code !== 0 || lines.length === 0)
    throw new Error(`${name} ended with ${code} (limit ${limitMs} ms), saying: ${lines.join(' ')}`);
  return JSON.parse(lines.at(-1)!) as Said;
}

/** Starts a program and waits for the one line of JSON by which it says that it is ready. */
export async function startProgram<Said>(name: string, options: unknown): Promise<RunningProgram<Said>> {
  const child = spawnProgram(name, options);
  const exit = ended(child);
  const line = await Promise.race([
    new Promise<string>((resolve) => {
      createInterface({ input: child.stdout! }).once('line', resolve);
    }),
    exit.then((code) => {
      throw new Error(`${name} ended with ${code} before it was ready`);
    }),
  ]);
  child.stdout!.resume();
  return {
    pid: child.pid!,
    said: JSON.parse(line) as Said,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exit;
      clearTimeout(timer);
    },
  };
}

/** In the child: what it was told. */
export function programOptions<Options>(): Options {
  return JSON.parse(process.argv[2] ?? '{}') as Options;
}

/** In the child: says something to whoever started it. */
export function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function spawnProgram(name: string, options: unknown): ChildProcess {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.add(child);
  return child;
}

function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // `close` and not `exit`: what it said last may still be on its way.
    child.once('close', (code, signal) => {
      started.delete(child);
      resolve(code ?? signal ?? 'nothing');
    });
  });
}
