// smoke, burst and churn through the real command line against each real server that is there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noOutcomes } from '../../src/stats/outcomes.js';
import { type RunningServer, start } from '../fleet/fleet.mjs';
import { dataTexts, realScenarios } from './real-scenario.js';
import { startRun } from './run-scenario.js';
import { candidates, whyLeftOut } from './servers-at-hand.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-real-'));
const dataFile = join(folder, 'texts.jsonl');
writeFileSync(dataFile, dataTexts());
afterAll(() => rmSync(folder, { recursive: true }));

// What comes unasked, as scripts/fleet/README.md has it; from no server may anything else come.
const requests: Record<string, string[]> = { 'fastmcp-ts': ['ping'], 'mcp-go-latest': ['ping'] };
const notifications: Record<string, string[]> = {
  'fastmcp-ts': ['notifications/message'],
  'mcp-proxy': ['notifications/message'],
  'server-everything': ['notifications/tools/list_changed'],
};

for (const candidate of candidates()) {
  const { server } = candidate;
  const { name } = server;
  describe(name, () => {
    let running: RunningServer | undefined;
    const leftOut = whyLeftOut(candidate);
    beforeAll(async () => {
      if (whyLeftOut(candidate) === undefined) running = await start(name);
    });
    afterAll(() => running?.stop());

    test.for(realScenarios(server, dataFile))('$name', async (given, { skip }) => {
      if (running === undefined) return skip(leftOut ?? whyLeftOut(candidate));
      const run = startRun(folder, `${name}-${given.name}`, given.scenario, running.url);
      const { code, text, result } = await run.done;
      expect(result, text).toBeDefined();
      const { sessions, totals, ended } = result!;
      expect({ code, ended }, text).toEqual({ code: 0, ended: 'complete' });
      expect(sessions).toMatchObject({ failed: 0, dropped: 0, reconnects: 0, failures: {} });
      // Under churn a place may be between two lives when the load ends: its session is cut while it opens.
      const opening = sessions.opened - sessions.ready;
      expect(opening).toBeGreaterThanOrEqual(0);
      expect(opening).toBeLessThanOrEqual(given.replaced);
      expect(sessions.ready).toBeGreaterThanOrEqual(given.sessions);
      expect(totals).toMatchObject({ started: given.started, sent: given.started, conserved: true });
      expect(totals.outcomes).toEqual({ ...noOutcomes(), ok: given.started });
      const { serverRequest, notification, extraConnection: _, reconnected: __, ...wrong } = totals.oddities;
      expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
      expect(requests[name] ?? []).toEqual(expect.arrayContaining(Object.keys(serverRequest)));
      expect(notifications[name] ?? []).toEqual(expect.arrayContaining(Object.keys(notification)));
    });
  });
}
