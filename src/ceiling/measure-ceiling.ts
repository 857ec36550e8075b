import { nowNs } from '../clock.js';
import { ExitCode, Failure } from '../failure.js';
import { type CeilingReport, judgeCeiling } from './ceiling-report.js';
import { rpcFailure } from '../probe/exchange.js';
import { flood } from './flood.js';
import { readServerInfo, serverText } from '../mcp/server-info.js';
import { listTools } from '../probe/list-tools.js';
import { helloOf, idsApart, openTarget, type OpenTarget } from '../probe/open-target.js';
import { endpointOf, type FloodPlace, openFloodPlace } from './flood-place.js';
import { speaking, type Spoken, spokenText } from '../detect/spoken.js';
import { ProbeSession } from '../probe/probe-session.js';
import { accessTarget, type TargetAccess } from '../detect/target-access.js';
import { type CallWish, timeCalls, type TimedCalls } from '../probe/time-calls.js';
import { failedCalls } from '../result/conservation.js';
import type { RunResult } from '../result/result.js';
import type { ScenarioOverrides } from '../scenario/apply-overrides.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { JsonValue, TargetPlan } from '../scenario/plan.js';
import { executePlan } from '../run/run.js';
import { redact, redactAll, redactGiven } from '../text/secrets.js';

export interface CeilingOptions {
  readonly overrides: ScenarioOverrides;
  readonly wish: CallWish;
  readonly connections: number;
  readonly sessions: number;
  readonly durationMs: number;
  readonly timeoutMs: number;
  /** A server on another machine may be flooded. */
  readonly elsewhere: boolean;
}

const warmupMs = 1000;
const moreLevels = 3;
const worthwhileGain = 1.2;

/** Floods a server with POSTs, then makes calls as fast as it answers them, and says which of the two is its limit. */
export async function measureCeiling(target: TargetPlan, options: CeilingOptions): Promise<CeilingReport> {
  const found = await accessTarget(target, options.timeoutMs);
  if (!options.elsewhere && !isThisMachine(found))
    throw new Failure(
      `${target.url} is not on this machine (${found.ip}): a flood is for servers of your own. Add --yes if it is one`,
      ExitCode.usage,
    );
  const { access, ...session } = await openTarget(target, options.timeoutMs);
  if (access === null) throw new Failure('ceiling floods a server with POSTs: over stdio there are none');
  const open = { ...session, access };
  const { client, spoken } = open;
  const places: FloodPlace[] = [];
  try {
    const hello = helloOf(client);
    const { tools } = await listTools(client, hello);
    const { calls } = await timeCalls(client, tools, options.wish);
    await openPlaces(open, places, options);
    const { connections, durationMs } = options;
    await flood(places, { connections, durationMs: Math.min(warmupMs, durationMs) });
    const flooded = await flood(places, { connections, durationMs });
    const backlogMs = await timeBacklog(client, calls);
    for (const place of places.splice(0)) await place.close();
    await client.close();
    const best = await findBest((inFlight) => makeCalls(calls, inFlight, spoken, options), options);
    return reportOf(open, options, flooded, backlogMs, calls, best, hello);
  } finally {
    for (const place of places) await place.close();
    await client.close();
  }
}

function isThisMachine({ ip, target }: TargetAccess): boolean {
  return (
    target.unixSocket !== null ||
    ip === 'localhost' ||
    ip === '::1' ||
    ip.startsWith('127.') ||
    ip.startsWith('::ffff:127.')
  );
}

// Of Streamable HTTP each has a session of its own, beside the one in which calls are made.
async function openPlaces(
  { access, spoken, client }: Reached,
  places: FloodPlace[],
  { sessions, timeoutMs }: CeilingOptions,
): Promise<void> {
  if (client instanceof ProbeSession) places.push(endpointOf(access, client));
  while (places.length < sessions)
    places.push(
      spoken.transport === 'sse'
        ? endpointOf(access, await ProbeSession.open(access, timeoutMs, places.length * idsApart))
        : await openFloodPlace(access, spoken, timeoutMs),
    );
}

// A server may accept far more than it works off; what is left over keeps the next call waiting.
async function timeBacklog(
  client: OpenTarget['client'],
  { tool, arguments: args }: TimedCalls,
): Promise<number | null> {
  if (client instanceof ProbeSession && !client.isOpen) return null;
  const startNs = nowNs();
  const exchange =
    tool === null
      ? await client.request('ping', {})
      : await client.request('tools/call', { name: tool, [client.argumentsKey]: args });
  return exchange.response === null && rpcFailure(exchange) !== null ? null : (nowNs() - startNs) / 1e6;
}

/** A server with an address. */
type Reached = OpenTarget & { readonly access: TargetAccess };

interface Level {
  /** Per session. */
  readonly inFlight: number;
  readonly result: RunResult;
}

// A tool that waits answers the more calls the more are under way: only where more in flight brings no more is it the server's limit.
async function findBest(
  makeCalls: (inFlight: number) => Promise<RunResult>,
  { connections, sessions }: CeilingOptions,
): Promise<Level> {
  let inFlight = Math.ceil(connections / sessions);
  let best: Level = { inFlight, result: await makeCalls(inFlight) };
  for (let level = 0; level < moreLevels; level++) {
    inFlight *= 4;
    const result = await makeCalls(inFlight);
    const gain = result.totals.callsPerSec / best.result.totals.callsPerSec;
    if (gain > 1) best = { inFlight, result };
    if (!(gain > worthwhileGain)) break;
  }
  return best;
}

async function makeCalls(
  { tool, arguments: args }: TimedCalls,
  inFlight: number,
  spoken: Spoken,
  options: CeilingOptions,
): Promise<RunResult> {
  const call =
    tool === null ? { method: 'ping' } : { tool, arguments: literal(args) as Record<string, JsonValue> };
  const plan = planScenario(
    {
      name: 'ceiling',
      sessions: options.sessions,
      warmup: `${Math.min(warmupMs, options.durationMs)}ms`,
      load: { model: 'closed', inFlight },
      duration: `${options.durationMs}ms`,
      calls: [call],
      timeouts: { call: `${options.timeoutMs}ms`, handshake: `${options.timeoutMs}ms` },
    },
    options.overrides,
  );
  const known = { ...plan, target: speaking(plan.target, spoken) };
  // What the target uses is not reported: looking for its process would cost more than a short run.
  const { result, failure } = await executePlan(known, { targetCpuMs: () => null });
  if (failure !== null) throw failure;
  return result;
}

// Arguments are sent as they are: what looks like a template in them is none.
function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => literal(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item as JsonValue)]));
}

function reportOf(
  { client, spoken }: Reached,
  options: CeilingOptions,
  flooded: CeilingReport['flood'],
  backlogMs: number | null,
  { tool, arguments: args }: TimedCalls,
  { inFlight, result }: Level,
  hello: unknown,
): CeilingReport {
  const response = result.metrics['call.response'];
  const clientBusy = Math.max(0, ...result.generator.loopUtilisation);
  const refused = Object.values(flooded.refused).reduce((sum, count) => sum + count, 0) + flooded.errors;
  return {
    schema: 'mcp-bench/ceiling@1',
    url: redact(spoken.url),
    at: new Date().toISOString(),
    server: redact(serverText(readServerInfo(hello))),
    transport: spoken.transport,
    era: spoken.era,
    spoken: spokenText(spoken),
    dialect: client.dialect.name,
    sessions: options.sessions,
    flood: flooded,
    backlogMs,
    calls: {
      tool: redactAll(tool),
      arguments: redactGiven(args),
      inFlight,
      ok: result.totals.outcomes.ok,
      failed: failedCalls(result.totals.outcomes),
      perSec: result.totals.callsPerSec,
      p50Ns: response?.p50 ?? NaN,
      p99Ns: response?.p99 ?? NaN,
      clientBusy,
    },
    limit: judgeCeiling(
      {
        perSec: flooded.acceptedPerSec,
        refusedShare: refused / Math.max(1, refused + flooded.accepted),
        clientBusy: flooded.clientBusy,
      },
      { perSec: result.totals.callsPerSec, clientBusy },
    ),
  };
}
