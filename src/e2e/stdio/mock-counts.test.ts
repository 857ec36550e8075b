import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { FaultName, StatsSnapshot } from '../../../mock-server/stats.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { planScenario } from '../../scenario/load-scenario.js';
import { plainScenario, type Played, runChecked } from '../fixtures/play.js';

const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-stdio-mock-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Runs against the mock on pipes, a process for each session; what all of them say that they did, added up. */
async function againstMock(
  options: readonly string[],
  scenario: Partial<ScenarioInput>,
  target: Partial<Extract<ScenarioInput['target'], object>> = {},
): Promise<Played & { received: number; injected: (fault: FaultName) => number }> {
  const file = join(folder, `${++files}.jsonl`);
  const command = [process.execPath, main, 'serve-mock', '--stdio', '--stats-file', file, ...options];
  const played = await runChecked(
    planScenario({ ...plainScenario, ...scenario, target: { command, ...target } }),
  );
  const stats = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { stats: StatsSnapshot }).stats);
  const sum = (pick: (each: StatsSnapshot) => number): number =>
    stats.reduce((all, each) => all + pick(each), 0);
  return {
    ...played,
    received: sum(({ calls }) => calls.received),
    injected: (fault) => sum((each) => each.injected[fault]),
  };
}

test.each(['2025-11-25', '2026-07-28'] as const)(
  'both sides count the same, in the era of %s',
  async (protocol) => {
    const { result, received, counts } = await againstMock(
      ['--seed', '3'],
      { sessions: 2, load: { model: 'count', calls: 400, inFlight: 8 } },
      { protocol },
    );
    expect(counts).toEqual({ ok: 400 });
    expect(received).toBe(result.totals.sent);
    expect(result.totals.pipes).toMatchObject({ died: 0, survivedEof: 0, leftOthers: 0, otherLines: 0 });
  },
);

test('known losses, duplicates and errors', async () => {
  const faults = ['lost=5%', 'duplicate=5%', 'toolError=5%', 'rpcError=5%'].flatMap((fault) => [
    '--fault',
    fault,
  ]);
  const { result, received, counts, injected } = await againstMock(['--seed', '5', ...faults], {
    sessions: 1,
    load: { model: 'count', calls: 400, inFlight: 16 },
    timeouts: { call: '1s' },
  });
  const { outcomes } = result.totals;
  expect(received).toBe(400);
  expect(outcomes.timeout, 'lost').toBe(injected('lost'));
  expect(outcomes.toolError).toBe(injected('toolError'));
  expect(Object.values(outcomes.rpcError).reduce((all, count) => all + count, 0)).toBe(injected('rpcError'));
  expect(counts['duplicate']).toBe(injected('duplicate'));
  for (const fault of ['lost', 'toolError', 'rpcError', 'duplicate'] as const)
    expect(injected(fault), fault).toBeGreaterThan(5);
});

test('a known latency is what is measured', async () => {
  const { result } = await againstMock(['--latency', '30ms'], {
    load: { model: 'count', calls: 40, inFlight: 4 },
  });
  const { min, p50 } = result.metrics['call.service']!;
  expect(min).toBeGreaterThanOrEqual(30e6);
  expect(p50).toBeGreaterThanOrEqual(30e6);
});
