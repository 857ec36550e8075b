import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fleet } from '../fleet/fleet.mjs';
import { type ClientTask, runClient } from '../peers/run-client.js';

/** A loop around the client of an SDK in the fleet. */
export interface FleetClient {
  /** Makes calls for so long and returns how many were answered in a second; throws where one was not. */
  run(load: ClientTask, limitMs: number): Promise<number>;
}

/** The client of a server in the fleet; null where it is not installed. */
export async function findFleetClient(name: string): Promise<FleetClient | null> {
  // It is no part of what is built.
  const fleet = (await import(pathToFileURL(resolve('scripts/fleet/fleet.mjs')).href)) as Fleet;
  if (!fleet.listServers().some((server) => server.name === name && server.installed)) return null;
  const command = fleet.clientOf(name);
  return { run: (load, limitMs) => callsPerSecOf(command, load, limitMs) };
}

async function callsPerSecOf(
  command: ReturnType<Fleet['clientOf']>,
  load: ClientTask,
  limitMs: number,
): Promise<number> {
  const { done, code, text } = await runClient(command, load, { limitMs });
  if (done === undefined) throw new Error(`the client of the fleet ended with ${code}: ${text}`);
  if (done.firstError !== null)
    throw new Error(`the client of the fleet met errors: ${JSON.stringify(done)}`);
  return done.calls / done.seconds;
}
