// smoke, burst and churn over Streamable HTTP against each real server that is there, in each of its modes and eras.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noOutcomes } from '../../src/stats/outcomes.js';
import { type Era, type RunningServer, start } from '../fleet/fleet.mjs';
import { dataTexts, realScenarios } from './real-scenario.js';
import { startRun } from './run-scenario.js';
import { candidates, whyLeftOut } from './servers-at-hand.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-streamable-'));
const dataFile = join(folder, 'texts.jsonl');
writeFileSync(dataFile, dataTexts());
afterAll(() => rmSync(folder, { recursive: true }));

const within = ({ ready, opened }: { ready: number; opened: number }, more = 0): object =>
  expect.toSatisfy(
    (count: number) => count >= ready + more && count <= opened + more,
    `${ready} to ${opened} sessions, and ${more}`,
  );

// What comes unasked, with the answer to a call or before it.
const notifications: Record<string, string[]> = {};

const revisions = { sessions: '2025-11-25', stateless: '2026-07-28' };

for (const candidate of candidates(undefined, 'streamable')) {
  const { server } = candidate;
  const { name } = server;
  const modes = server.modes.filter(({ transport }) => transport === 'streamable');
  for (const mode of modes)
    describe(`${name}:${mode.name}`, () => {
      let running: RunningServer | undefined;
      const leftOut = whyLeftOut(candidate);
      beforeAll(async () => {
        if (whyLeftOut(candidate) === undefined) running = await start(name, { mode: mode.name });
      });
      afterAll(() => running?.stop());

      for (const [era, body] of Object.entries(mode.eras!) as [Era, 'json' | 'sse'][]) {
        // The others say nothing new of a mode that is like one before it.
        const isFirst = modes.find(({ eras }) => eras![era] !== undefined) === mode;
        const target = { transport: 'streamable', protocol: revisions[era] };
        const scenarios = realScenarios(server, dataFile, target).slice(0, isFirst ? undefined : 1);
        test.for(scenarios)(`${era}: $name`, async (given, { skip }) => {
          if (running === undefined) return skip(leftOut ?? whyLeftOut(candidate));
          const label = `${name}-${mode.name}-${era}-${given.name}`;
          const { code, text, result } = await startRun(folder, label, given.scenario, running.url).done;
          expect(result, text).toBeDefined();
          const { sessions, totals, ended, target } = result!;
          expect({ code, ended }, text).toEqual({ code: 0, ended: 'complete' });
          expect(target).toMatchObject({ transport: 'streamable', era, bodies: [body] });
          expect(sessions).toMatchObject({ failed: 0, dropped: 0, reconnects: 0, failures: {} });
          expect(sessions.ready).toBeGreaterThanOrEqual(given.sessions);
          expect(totals).toMatchObject({ started: given.started, sent: given.started, conserved: true });
          expect(totals.outcomes).toEqual({ ...noOutcomes(), ok: given.started });
          const { notification, extraConnection: _, reconnected: __, ...wrong } = totals.oddities;
          expect(
            Object.entries(wrong).filter(([, count]) => typeof count !== 'object' && count !== 0),
          ).toEqual([]);
          expect(totals.oddities.serverRequest).toEqual({});
          expect(notifications[name] ?? []).toEqual(expect.arrayContaining(Object.keys(notification)));
          // Sessions that were still opening when the load ended may have been answered, or not.
          const hasIds = era === 'sessions' && !/less/.test(mode.name);
          expect(totals.replies).toEqual({
            json: body === 'json' ? given.started : 0,
            events: body === 'sse' ? given.started : 0,
            priming: mode.primes && era === 'sessions' ? within(sessions, given.started) : 0,
            resumed: 0,
            resumeRefused: 0,
            jsonAsEvents: 0,
            listenRefused: 0,
            deleted: hasIds ? within(sessions) : 0,
            deleteRefused: 0,
            left: 0,
            inputRounds: 0,
          });
        });
      }
    });
}
