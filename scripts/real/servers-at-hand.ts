import { type FleetMode, type FleetServer, listServers, whyMissing } from '../fleet/fleet.mjs';

/** A server of the fleet, and why it is not tested where it is not. */
export interface Candidate {
  server: FleetServer;
  missing: string | undefined;
}

const endMs = Number(process.env['MCP_BENCH_REAL_END_MS'] ?? Number.POSITIVE_INFINITY);
const only = (process.env['MCP_BENCH_REAL_SERVERS'] ?? '').split(' ').filter((name) => name !== '');

/** The servers that were asked for and speak this transport, those of npm first, since they are always tested. */
export function candidates(
  among?: readonly string[],
  transport: FleetMode['transport'] = 'sse',
): Candidate[] {
  return wanted(({ name, modes }) => {
    if (among !== undefined && !among.includes(name)) return false;
    return modes.some((mode) => mode.transport === transport);
  });
}

/** Those with a loop around the client of their library. */
export function clientCandidates(): Candidate[] {
  return wanted(({ clientTransports }) => clientTransports.length > 0);
}

function wanted(isMeant: (server: FleetServer) => boolean): Candidate[] {
  return listServers()
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .filter(isMeant)
    .sort((a, b) => Number(b.kind === 'npm') - Number(a.kind === 'npm'))
    .map((server) => ({ server, missing: whyMissing(server.name) }));
}

/** Why a server is left out now: it is not there, or the time given to all tests is up; undefined where it is to be tested. */
export function whyLeftOut({ server, missing }: Candidate): string | undefined {
  if (missing !== undefined) return missing;
  return Date.now() > endMs && server.kind !== 'npm' ? 'the time given to all tests was over' : undefined;
}
