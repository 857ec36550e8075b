import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Makes another command line of the one that runs the program: a shell that sets a limit first, a terminal around it. */
  wrap?: (program: readonly string[]) => readonly string[];
  /** Hears all that it has written to standard error so far, whenever there is more, and may send it a signal. */
  onStderr?: (text: string, child: ChildProcess) => void;
}

/** Runs the built command line as a user would; GitHub's variables only where they are given. */
export async function mcpBench(args: readonly string[], options: CommandOptions): Promise<CommandOutcome> {
  const { GITHUB_ACTIONS: _, GITHUB_STEP_SUMMARY: __, ...env } = process.env;
  const program = [process.execPath, main, ...args];
  const [file, ...rest] = options.wrap?.(program) ?? program;
  const child = spawn(file!, rest, {
    cwd: options.cwd,
    env: { ...env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    options.onStderr?.(stderr, child);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}
