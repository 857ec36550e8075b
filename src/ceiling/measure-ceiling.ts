import { nowNs } from '../clock.js';
import { ExitCode, Failure } from '../failure.js';
import { type CeilingReport, judgeCeiling } from './ceiling-report.js';
import { rpcFailure } from '../probe/exchange.js';
import { flood } from './flood.js';
import { readServerInfo, serverText } from '../mcp/server-info.js';
import { listTools } from '../probe/list-tools.js';
import { openSession } from '../probe/probe.js';
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

const idsApart = 1_000_000_000;
const warmupMs = 1000;
const moreLevels = 3;
const worthwhileGain = 1.2;

/** Floods a server with POSTs, then makes calls as fast as it answers them, and says which of the two is its limit. */
export async function measureCeiling(target: TargetPlan, options: CeilingOptions): Promise<CeilingReport> {
  const access = await accessTarget(target, options.timeoutMs);
  if (!options.elsewhere && !isThisMachine(access))
    throw new Failure(
      `${target.url} is not on this machine (${access.ip}): a flood is for servers of your own. Add --yes if it is one`,
      ExitCode.usage,
    );
  const sessions = await openSessions(access, options);
  try {
    const [first] = sessions as [ProbeSession];
    const hello = first.initialize!.response!['result'];
    const { tools } = await listTools(first, hello);
    const { calls } = await timeCalls(first, tools, options.wish);
    const { connections, durationMs } = options;
    await flood(access, sessions, { connections, durationMs: Math.min(warmupMs, durationMs) });
    const flooded = await flood(access, sessions, { connections, durationMs });
    const backlogMs = await timeBacklog(first, calls);
    for (const session of sessions) session.close();
    const best = await findBest((inFlight) => makeCalls(calls, inFlight, options), options);
    return reportOf(first, access, options, flooded, backlogMs, calls, best, hello);
  } finally {
    for (const session of sessions) session.close();
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

async function openSessions(access: TargetAccess, options: CeilingOptions): Promise<ProbeSession[]> {
  const sessions = [await openSession(access, options)];
  try {
    while (sessions.length < options.sessions)
      sessions.push(await ProbeSession.open(access, options.timeoutMs, sessions.length * idsApart));
    return sessions;
  } catch (error) {
    for (const session of sessions) session.close();
    throw error;
  }
}

// A server may accept far more than it works off; what is left over keeps the next call waiting.
async function timeBacklog(
  session: ProbeSession,
  { tool, arguments: args }: TimedCalls,
): Promise<number | null> {
  if (!session.isOpen) return null;
  const startNs = nowNs();
  const exchange =
    tool === null
      ? await session.request('ping', {})
      : await session.request('tools/call', { name: tool, [session.argumentsKey]: args });
  return exchange.response === null && rpcFailure(exchange) !== null ? null : (nowNs() - startNs) / 1e6;
}

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
  // What the target uses is not reported: looking for its process would cost more than a short run.
  const { result, failure } = await executePlan(plan, { targetCpuMs: () => null });
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
  session: ProbeSession,
  access: TargetAccess,
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
    url: redact(access.target.url),
    at: new Date().toISOString(),
    server: redact(serverText(readServerInfo(hello))),
    dialect: session.dialect.name,
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
