import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ExitCode, Failure } from '../failure.js';
import { Watchdog } from '../machine/watchdog.js';
import type { TransportName } from '../scenario/plan.js';

/** The built-in mock, running in a process of its own. */
export interface MockProcess {
  readonly url: string;
  /** Where it speaks which transport; `url` is that of HTTP+SSE. */
  readonly urls: Readonly<Record<Exclude<TransportName, 'stdio'>, string>>;
  readonly pid: number;
  readonly engine: string;
  /** What it says it received, did and sent. */
  stats(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the mock beside us, on a port of its own choice; `args` are those of `serve-mock`. */
export async function startMockProcess(args: readonly string[] = []): Promise<MockProcess> {
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  if (!existsSync(main)) throw new Error(`${main} is missing: run npm run build`);
  const child = spawn(process.execPath, [main, 'serve-mock', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the whole foreground group; the mock must outlive the drain, so it gets a group of its own.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const killIt = (): void => void child.kill('SIGKILL');
  const watchdog = new Watchdog();
  if (child.pid !== undefined) watchdog.watch(child.pid);
  child.once('exit', () => watchdog.close());
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    // After its streams have ended, so that all that it had to say is there.
    child.once('close', (code) => {
      const why = complaint.trim().replace(/^mcp-bench: /, '');
      // Options of ours it cannot be wrong about: they are the user's.
      const exitCode = code === ExitCode.usage ? ExitCode.usage : ExitCode.runFailed;
      reject(new Failure(`the built-in mock did not start: ${why}`, exitCode));
    });
    child.once('error', reject);
  });
  child.stdout.resume();
  const { url, urls, pid, engine } = JSON.parse(line) as Pick<MockProcess, 'url' | 'urls' | 'pid' | 'engine'>;
  return {
    url,
    urls,
    pid,
    engine,
    stats: async () => (await fetch(new URL('/stats', url))).json(),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(killIt, 5000);
      await exited;
      clearTimeout(timer);
    },
  };
}
