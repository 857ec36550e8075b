import { expect } from 'vitest';
import type { RunResult } from '../result/result.js';
import { outcomeKinds } from '../result/conservation.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { type Driven, type DriveOptions, driveShard } from './drive-shard.js';
import { McpServer, type McpScript } from './scripted-mcp.js';
import type { ScriptedServerOptions } from './scripted-server.js';

export interface Played extends Driven {
  /** Every outcome and oddity that is not zero, by name; extra connections, which the order of two sockets decides, are not among them. */
  readonly counts: Record<string, number>;
  readonly sessions: Record<string, number>;
}

export interface PlayOptions extends DriveOptions {
  readonly listen?: ScriptedServerOptions;
  /** Has a scenario made for the server that listens. */
  readonly scenarioFor?: (server: McpServer) => Partial<ScenarioInput>;
}

/** One session that makes ten checked echo calls, one after the other: what a script changes is what shows. */
export const plainScenario: ScenarioInput = {
  name: 'play',
  sessions: 1,
  load: { model: 'count', calls: 10, inFlight: 1 },
  calls: [{ tool: 'echo', arguments: { message: '{{seq}} {{hex 8}}' }, expect: 'echo' }],
  timeouts: { connect: '5s', handshake: '10s', call: '10s' },
  workers: 1,
};

/** Plays a script against the real engine; every call must have exactly one outcome, whatever the script does. */
export async function play(
  script: McpScript,
  scenario: Partial<ScenarioInput> = {},
  options: PlayOptions = {},
): Promise<Played & { server: McpServer }> {
  const server = await McpServer.listen(script, options.listen);
  try {
    const plan = planScenario({
      ...plainScenario,
      target: server.url,
      ...scenario,
      ...options.scenarioFor?.(server),
    });
    return { ...(await runChecked(plan, options)), server };
  } finally {
    await server.close();
  }
}

/** Drives a plan and holds the run to the conservation of its calls. */
export async function runChecked(
  plan: Parameters<typeof driveShard>[0],
  options: DriveOptions = {},
): Promise<Played> {
  const driven = await driveShard(plan, options);
  const { result } = driven;
  expect(result.totals.conserved, 'every call has one outcome').toBe(true);
  const { started, outcomes } = result.totals;
  expect(result.totals.sent).toBe(started - outcomes.notSent);
  const inIntervals = result.intervals.reduce(
    (sum, { totals }) => sum + totals.ok + totals.failed + totals.notSent,
    0,
  );
  expect(inIntervals, 'every end belongs to one interval').toBe(started);
  return { ...driven, counts: countsOf(result), sessions: sessionsOf(result) };
}

/** Everything that was counted about calls and is not zero: outcomes with their codes, oddities with their methods. */
export function countsOf({ totals }: RunResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, code, count } of outcomeKinds(totals.outcomes))
    if (count > 0) counts[code === null ? outcome : `${outcome}:${code}`] = count;
  for (const [name, value] of Object.entries(totals.oddities) as [
    string,
    number | Record<string, number>,
  ][]) {
    if (typeof value === 'number') {
      if (value > 0 && name !== 'extraConnection' && name !== 'reconnected') counts[name] = value;
    } else for (const [method, count] of Object.entries(value)) counts[`${name}:${method}`] = count;
  }
  return counts;
}

function sessionsOf({ sessions }: RunResult): Record<string, number> {
  const { failures, ...plain } = sessions;
  const counts = Object.entries(plain).filter(([, count]) => count > 0);
  return {
    ...Object.fromEntries(counts),
    ...Object.fromEntries(Object.entries(failures).map(([k, n]) => [`failed:${k}`, n])),
  };
}
