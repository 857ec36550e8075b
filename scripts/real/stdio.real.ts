// smoke, burst and churn over stdio against each real server that is there: a process for each session, and none left.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { noOutcomes } from '../../src/stats/outcomes.js';
import { commandOf } from '../fleet/fleet.mjs';
import { dataTexts, realScenarios, sizeOfProcesses } from './real-scenario.js';
import { startRun } from './run-scenario.js';
import { candidates, whyLeftOut } from './servers-at-hand.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-stdio-real-'));
const dataFile = join(folder, 'texts.jsonl');
writeFileSync(dataFile, dataTexts());
afterAll(() => rmSync(folder, { recursive: true }));

const marker = 'MCP_BENCH_REAL_RUN';

for (const candidate of candidates(undefined, 'stdio')) {
  const { server } = candidate;
  const mode = server.modes.find(({ transport }) => transport === 'stdio')!.name;
  describe(`${server.name}:${mode}`, () => {
    const scenarios = realScenarios(server, dataFile, {}, sizeOfProcesses);
    test.for(scenarios)('$name', async (given, { skip }) => {
      const leftOut = whyLeftOut(candidate);
      if (leftOut !== undefined) return skip(leftOut);
      const label = `${server.name}-stdio-${given.name}`;
      const { command, cwd, env } = commandOf(server.name, undefined, mode);
      const target = { command, cwd, env: { ...env, [marker]: label } };
      const { code, text, result } = await startRun(folder, label, { ...given.scenario, target }).done;
      expect(result, text).toBeDefined();
      const { sessions, totals, ended } = result!;
      expect({ code, ended }, text).toEqual({ code: 0, ended: 'complete' });
      expect(result!.target).toMatchObject({ transport: 'stdio' });
      expect(sessions).toMatchObject({ failed: 0, dropped: 0, reconnects: 0, failures: {} });
      expect(sessions.ready).toBeGreaterThanOrEqual(given.sessions);
      expect(totals).toMatchObject({ started: given.started, sent: given.started, conserved: true });
      expect(totals.outcomes).toEqual({ ...noOutcomes(), ok: given.started });
      expect(processesWith(label)).toEqual([]);
    });
  });
}

/** The processes that were started, however indirectly, with this in their environment. */
function processesWith(label: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${marker}=${label}`);
      } catch {
        // It has ended.
        return false;
      }
    });
}
