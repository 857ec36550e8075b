import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { RunResult } from '../../src/result/result.js';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const limitMs = 150_000;

/** One `mcp-bench run` in a process of its own. */
export interface RealRun {
  child: ChildProcess;
  /** Resolves when a line of its progress matches; rejects if it ends before. */
  says(pattern: RegExp): Promise<void>;
  done: Promise<RealOutcome>;
}

export interface RealOutcome {
  code: number | null;
  text: string;
  /** What it wrote; undefined where it wrote nothing. */
  result?: RunResult;
}

/** Starts the built command line on a scenario, which may name its target itself; a run that is not done within two and a half minutes is killed, and so fails. */
export function startRun(folder: string, name: string, scenario: object, url?: string): RealRun {
  const file = join(folder, `${name}.yaml`);
  const out = join(folder, `${name}.json`);
  writeFileSync(file, stringify({ name, ...scenario }));
  const target = url === undefined ? [] : ['--target', url];
  const child = spawn(process.execPath, [main, 'run', file, ...target, '--out', out], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let heard = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      heard();
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const done = once(child, 'close').then(([code]): RealOutcome => {
    clearTimeout(timer);
    const result = existsSync(out) ? (JSON.parse(readFileSync(out, 'utf8')) as RunResult) : undefined;
    return { code: code as number | null, text, ...(result ? { result } : {}) };
  });
  const says = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = () => pattern.test(text) && resolve();
      heard();
      void done.then(() => reject(new Error(`the run ended without saying ${pattern}:\n${text}`)));
    });
  return { child, says, done };
}
