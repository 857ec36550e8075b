import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ClientTransport, FleetCommand } from '../fleet/fleet.mjs';

/** What a client is told, as scripts/fleet/README.md has it. */
export interface ClientTask {
  /** Where the server is; over stdio, the command of one. */
  readonly url?: string;
  readonly command?: readonly string[];
  readonly transport: ClientTransport;
  readonly sessions: number;
  readonly inFlight: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** So many calls in all; or else by time. */
  readonly calls?: number;
  readonly warmupSeconds?: number;
  readonly seconds?: number;
  /** Calls due in a second, for those that can keep a pace; flat out without it. */
  readonly perSecond?: number;
}

/** What it says of its sessions. */
export interface ClientReady {
  readonly sessions: number;
  readonly failed: number;
}

/** What it says of its calls. */
export interface ClientDone {
  readonly sessions: number;
  readonly calls: number;
  readonly errors: number;
  readonly seconds: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  /** Calls that were due and never made, where it counts them. */
  readonly notStarted?: number;
  readonly firstError: string | null;
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
 * Runs a client; `onLine` hears `ready`, `measuring`, `measured` (where it says so) and `done` while it still runs. Ended by force when
 * the limit passes.
 */
export async function runClient(
  { command: [file, ...args], cwd, env }: Omit<FleetCommand, 'url'>,
  task: ClientTask,
  { limitMs, onLine }: { limitMs: number; onLine?: (at: string, pid: number) => void },
): Promise<ClientOutcome> {
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
