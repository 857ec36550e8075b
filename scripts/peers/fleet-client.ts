import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { clientOf, type ClientTransport } from '../fleet/fleet.mjs';

/** What the loop around an SDK's client is told, as scripts/fleet/README.md has it. */
export interface ClientTask {
  /** Where the server is; over stdio, the command of one. */
  url?: string;
  command?: readonly string[];
  transport: ClientTransport;
  sessions: number;
  inFlight: number;
  tool: string;
  arguments: object;
  /** So many calls in all; or else by time. */
  calls?: number;
  warmupSeconds?: number;
  seconds?: number;
}

/** What it says of its sessions. */
export interface ClientReady {
  sessions: number;
  failed: number;
}

/** What it says of its calls. */
export interface ClientDone {
  sessions: number;
  calls: number;
  errors: number;
  seconds: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  firstError: string | null;
}

export interface ClientOutcome {
  ready: ClientReady | undefined;
  done: ClientDone | undefined;
  /** How it ended, after its sessions were closed. */
  code: number | null;
  /** What it wrote that is not one of its lines. */
  text: string;
}

/**
 * Runs the loop around the client of a fleet server's library; `onLine` hears `ready`, `measuring` and `done` while it still runs.
 * Ended by force when the limit passes.
 */
export async function runFleetClient(
  name: string,
  task: ClientTask,
  { limitMs, onLine }: { limitMs: number; onLine?: (at: string, pid: number) => void },
): Promise<ClientOutcome> {
  const { command, cwd, env } = clientOf(name);
  const [file, ...args] = command;
  const child = spawn(file!, [...args, JSON.stringify(task)], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const outcome: ClientOutcome = { ready: undefined, done: undefined, code: null, text: '' };
  child.stderr.on('data', (chunk: Buffer) => (outcome.text += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = readLine(line);
    if (said === undefined) return void (outcome.text += `${line}\n`);
    onLine?.(said.at, child.pid!);
    if (said.at === 'ready') outcome.ready = said as unknown as ClientReady;
    if (said.at !== 'done') return;
    outcome.done = said as unknown as ClientDone;
    child.stdin.end();
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { ...outcome, code: code as number | null };
}

function readLine(line: string): { at: string } | undefined {
  try {
    const said = JSON.parse(line) as { at?: unknown };
    return typeof said.at === 'string' ? { ...said, at: said.at } : undefined;
  } catch {
    return undefined;
  }
}
