import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { ClientTransport, Fleet } from '../fleet/fleet.mjs';

/** What a loop around the client of an SDK in the fleet is told. */
export interface FleetClientLoad {
  readonly url: string;
  readonly transport: ClientTransport;
  readonly sessions: number;
  readonly inFlight: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

/** A loop around the client of an SDK in the fleet. */
export interface FleetClient {
  /** Makes calls for so long and returns how many were answered in a second; throws where one was not. */
  run(load: FleetClientLoad, limitMs: number): Promise<number>;
}

/** The client of a server in the fleet; null where it is not installed. */
export async function findFleetClient(name: string): Promise<FleetClient | null> {
  // It is no part of what is built.
  const fleet = (await import(pathToFileURL(resolve('scripts/fleet/fleet.mjs')).href)) as Fleet;
  if (!fleet.listServers().some((server) => server.name === name && server.installed)) return null;
  const { command, cwd, env } = fleet.clientOf(name);
  return { run: (load, limitMs) => callsPerSecOf(command, { cwd, env }, load, limitMs) };
}

function callsPerSecOf(
  [file, ...words]: string[],
  place: { cwd: string; env: Record<string, string> },
  load: FleetClientLoad,
  limitMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file!, [...words, JSON.stringify(load)], {
      ...place,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    let perSec: number | null = null;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as { at: string; calls: number; seconds: number; firstError: unknown };
      if (said.at !== 'done') return;
      if (said.firstError === null) perSec = said.calls / said.seconds;
      else reject(new Error(`the client of the fleet met errors: ${line}`));
      // It waits for this to close its sessions.
      child.stdin.end();
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (perSec !== null) resolve(perSec);
      else reject(new Error(`the client of the fleet ended with ${code ?? signal}`));
    });
  });
}
