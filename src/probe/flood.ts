import autocannon from 'autocannon';
import { nowNs } from '../clock.js';
import type { ProbeSession } from './probe-session.js';
import type { TargetAccess } from './target-access.js';

/** What came of flooding a server's endpoint with notifications. */
export interface Flood {
  readonly connections: number;
  readonly durationMs: number;
  readonly accepted: number;
  readonly acceptedPerSec: number;
  /** Refused POSTs by their status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Connections that broke, and POSTs that nobody answered. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How busy this process was with it: near 1 the flood was limited by us. */
  readonly clientBusy: number;
  /** Events that came on the streams meanwhile. */
  readonly events: number;
}

// Cancels a request that there is not: every SDK knows the method, none has anything to do for it, and nobody answers it.
const harmless = (stringIds: boolean): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${stringIds ? '"2147483647"' : '2147483647'},"reason":"mcp-bench ceiling"}}`;

/** Floods the endpoints of open sessions through autocannon, while their streams are read in this process. */
export async function flood(
  access: TargetAccess,
  sessions: readonly ProbeSession[],
  options: { connections: number; durationMs: number },
): Promise<Flood> {
  const origin = new URL(access.target.url).origin;
  const before = eventsOn(sessions);
  const busyBefore = performance.eventLoopUtilization();
  const startNs = nowNs();
  const { secureContext } = access.wiring.peer;
  const result = await autocannon({
    url: sessions.map(({ endpointPath }) => origin + endpointPath),
    method: 'POST',
    headers: { ...access.target.headers, 'content-type': 'application/json' },
    body: harmless(sessions[0]!.dialect.stringIds),
    connections: options.connections,
    duration: options.durationMs / 1000,
    sampleInt: 100,
    timeout: 10,
    ...(access.target.unixSocket === null ? {} : { socketPath: access.target.unixSocket }),
    // autocannon verifies nothing; our own sessions on the same server have done so.
    ...(secureContext === null ? {} : { tlsOptions: { secureContext } }),
  });
  const durationMs = (nowNs() - startNs) / 1e6;
  const refused = Object.entries(result.statusCodeStats).filter(([status]) => !status.startsWith('2'));
  return {
    connections: options.connections,
    durationMs,
    accepted: result['2xx'],
    acceptedPerSec: (result['2xx'] * 1000) / durationMs,
    refused: Object.fromEntries(refused.map(([status, { count }]) => [status, count])),
    errors: result.errors,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    clientBusy: performance.eventLoopUtilization(busyBefore).utilization,
    events: eventsOn(sessions) - before,
  };
}

function eventsOn(sessions: readonly ProbeSession[]): number {
  return sessions.reduce((sum, { eventCount }) => sum + eventCount, 0);
}
