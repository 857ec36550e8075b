import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../src/result/write-file.js';
import type { JsonValue } from '../../src/scenario/plan.js';
import { readYamlSource } from '../../src/scenario/yaml-source.js';
import { startTarget } from '../../src/target/start-target.js';
import { type Contestant, loadTargets } from '../../src/versus/load-targets.js';
import { roundOrder } from '../../src/versus/round-order.js';
import { runTarget } from '../../src/versus/run-target.js';
import { describeMachine } from '../bench/bench-report.js';
import { runProgram } from '../bench/child-program.js';
import type { WindowFigures } from '../bench/clients/measured-window.js';
import type { SdkClientOptions } from '../bench/clients/sdk-client.js';
import { sdkLoopMarkdown, type SdkLoopReport, type SdkLoopRow } from './sdk-loop-report.js';

// A program: every target in a closed loop by mcp-bench and by a loop around the official SDK's client, in turns, the server
// started anew for each.

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, out: { type: 'string', default: 'results/versus' } },
});
const [targetsFile, scenarioFile] = positionals as [string, string];
const rounds = Number(options.rounds);
const contestants = loadTargets(readYamlSource(targetsFile), readYamlSource(scenarioFile), 'sdk-loop');
const rows = contestants.map(({ name, about }): SdkLoopRow => ({
  name,
  about,
  mcpBench: [],
  sdkLoop: [],
  sdkCpuUs: [],
  reasons: [],
}));

const date = new Date().toISOString();
const machine = describeMachine();
for (const [round, order] of roundOrder(contestants.length, rounds).entries())
  for (const [place, at] of order.entries()) {
    const measures = [measureOurs, measureSdk];
    // Who goes first changes both from round to round and from target to target.
    if ((round + place) % 2 === 1) measures.reverse();
    for (const measure of measures) await measure(contestants[at]!, rows[at]!, round + 1);
  }

const { sessions, phases, warmupNs } = contestants[0]!.plan;
const { load, durationNs } = phases[0]!;
const report: SdkLoopReport = {
  schema: 'mcp-bench/sdk-loop@1',
  date,
  machine,
  rounds,
  sessions: sessions.count,
  inFlight: load.model === 'closed' ? load.inFlight : 1,
  warmupSeconds: warmupNs / 1e9,
  seconds: (durationNs ?? 0) / 1e9,
  rows,
};
const path = join(options.out, 'fleet-sdk-loop');
writeFileWhole(`${path}.json`, `${JSON.stringify(report, null, 1)}\n`);
writeFileWhole(`${path}.md`, sdkLoopMarkdown(report));
console.log(sdkLoopMarkdown(report));
console.log(`written: ${path}.md, ${path}.json`);

async function measureOurs(contestant: Contestant, row: SdkLoopRow, round: number): Promise<void> {
  const { run } = await runTarget(contestant, { round, interrupted: () => false });
  const { callsPerSec } = run.figures;
  if (run.state === 'ok' && callsPerSec !== null) row.mcpBench.push(callsPerSec);
  else row.reasons.push(`mcp-bench, round ${round}: ${run.reason}`);
  console.log(
    `round ${round}, ${row.name}: mcp-bench ${run.reason ?? `${Math.round(callsPerSec ?? NaN)} calls/s`}`,
  );
}

async function measureSdk(
  { launch, plan, readyMs }: Contestant,
  row: SdkLoopRow,
  round: number,
): Promise<void> {
  const server = await startTarget(launch, plan.target, { readyMs, givenUp: () => null });
  if ('reason' in server) return void row.reasons.push(`SDK, round ${round}: ${server.reason}`);
  const [operation] = plan.operations;
  const [phase] = plan.phases;
  const seconds = (phase!.durationNs ?? 0) / 1e9;
  const warmupSeconds = plan.warmupNs / 1e9;
  try {
    const told: SdkClientOptions = {
      url: server.spoken.url,
      sessions: plan.sessions.count,
      inFlight: phase!.load.model === 'closed' ? phase!.load.inFlight : 1,
      warmupSeconds,
      seconds,
      call: { tool: operation!.tool!, arguments: constantArguments(operation!.arguments) },
    };
    const limitMs = (warmupSeconds + seconds + plan.timeouts.handshakeNs / 1e9) * 1000;
    const { perSec, cpuUsEach } = await runProgram<WindowFigures>('clients/sdk-client', told, limitMs);
    row.sdkLoop.push(perSec);
    row.sdkCpuUs.push(cpuUsEach);
    console.log(`round ${round}, ${row.name}: SDK loop ${Math.round(perSec)} calls/s`);
  } catch (error) {
    row.reasons.push(`SDK, round ${round}: ${(error as Error).message}`);
    console.log(`round ${round}, ${row.name}: SDK loop failed: ${(error as Error).message}`);
  } finally {
    await server.stop();
  }
}

/** Templates are ours: the loop sends a text of the same length. */
function constantArguments(given: JsonValue): Record<string, unknown> {
  const text = (value: JsonValue): unknown =>
    typeof value === 'string' ? value.replaceAll(/\{\{[^}]*\}\}/g, '0123456789') : value;
  return Object.fromEntries(
    Object.entries(given as object).map(([key, value]) => [key, text(value as JsonValue)]),
  );
}
