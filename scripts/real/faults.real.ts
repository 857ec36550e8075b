// Real servers killed, frozen, restarted and overfilled in mid-run: the run ends or recovers as its scenario says, and every call is accounted for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/result/result.js';
import { countOutcomes } from '../../src/stats/outcomes.js';
import { type RunningServer, start } from '../fleet/fleet.mjs';
import { holdStream } from './held-stream.js';
import { type RealOutcome, startRun } from './run-scenario.js';
import { candidates, whyLeftOut } from './servers-at-hand.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sessions = 4;
const echo = { tool: 'echo', arguments: { message: 'call {{seq}}' }, expect: 'echo' };
const rate = {
  sessions,
  workers: 1,
  calls: [echo],
  load: { model: 'rate', perSecond: 50 },
  duration: '5s',
  timeouts: { connect: '1s', handshake: '2s', call: '1s' },
  thresholds: { errors: ['rate < 1%'] },
};
const rateStarted = 250;
const running = new RegExp(`main: .*sessions ${sessions}/${sessions}`);
// How far into the load a fault strikes, and how long a freeze lasts.
const strikeMs = 1500;
const freezeMs = 2000;

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

function signal({ pid }: RunningServer, name: NodeJS.Signals): void {
  process.kill(-pid, name);
}

// Whatever happened: a result was written, and each call that was started ended once.
function accounted({ result, text }: RealOutcome): RunResult {
  expect(result, text).toBeDefined();
  const { totals } = result!;
  expect(totals.conserved).toBe(true);
  expect(countOutcomes(totals.outcomes)).toBe(totals.started);
  expect(totals.sent).toBe(totals.started - totals.outcomes.notSent);
  return result!;
}

/** A run whose server is stopped in the middle and comes back only after its end. */
async function frozenForGood(
  name: string,
  scenario: object,
): Promise<{ code: number | null; result: RunResult }> {
  const run = startRun(folder, name, scenario, server!.url);
  await run.says(running);
  await delay(strikeMs);
  signal(server!, 'SIGSTOP');
  const outcome = await run.done;
  signal(server!, 'SIGCONT');
  const result = accounted(outcome);
  expect(result.totals.outcomes.ok).toBeGreaterThan(0);
  expect(result.totals.outcomes.timeout).toBeGreaterThan(0);
  expect(result.sessions).toMatchObject({ ready: sessions, dropped: 0 });
  return { code: outcome.code, result };
}

for (const candidate of candidates(['ts-sdk', 'python-sdk', 'rmcp', 'mcp-go'])) {
  const { name } = candidate.server;
  describe(name, () => {
    beforeEach(async ({ skip }) => {
      const reason = whyLeftOut(candidate);
      if (reason !== undefined) skip(reason);
      server = await start(name);
    });

    test('killed: the run goes on to its end, and fails because its target is gone', async () => {
      const run = startRun(folder, `${name}-killed`, rate, server!.url);
      await run.says(running);
      await delay(strikeMs);
      signal(server!, 'SIGKILL');
      const outcome = await run.done;
      const { ended, totals, sessions: seen } = accounted(outcome);
      expect({ code: outcome.code, ended }).toEqual({ code: 1, ended: 'complete' });
      expect(totals.started).toBe(rateStarted);
      expect(totals.outcomes.ok).toBeGreaterThan(0);
      expect(totals.outcomes.notSent).toBeGreaterThan(0);
      expect(seen).toMatchObject({ ready: sessions, dropped: sessions });
    });

    test('killed: a rule with abortOnFail ends the run at once', async () => {
      const thresholds = { errors: [{ rule: 'rate < 1%', abortOnFail: true }] };
      const scenario = { ...rate, duration: '60s', openLoop: { queue: 20 }, thresholds };
      const run = startRun(folder, `${name}-aborted`, scenario, server!.url);
      await run.says(running);
      await delay(strikeMs);
      signal(server!, 'SIGKILL');
      const outcome = await run.done;
      const { ended, totals } = accounted(outcome);
      expect({ code: outcome.code, ended }).toEqual({ code: 1, ended: 'aborted' });
      expect(totals.started).toBeLessThan(50 * 60);
    });

    test('frozen for a while: every call is answered, and the freeze is in call.response', async () => {
      const timeouts = { connect: '30s', handshake: '30s', call: '30s' };
      const run = startRun(folder, `${name}-frozen`, { ...rate, timeouts }, server!.url);
      await run.says(running);
      await delay(strikeMs);
      signal(server!, 'SIGSTOP');
      await delay(freezeMs);
      signal(server!, 'SIGCONT');
      const outcome = await run.done;
      const { ended, totals, sessions: seen, metrics } = accounted(outcome);
      expect({ code: outcome.code, ended }).toEqual({ code: 0, ended: 'complete' });
      expect(totals.outcomes.ok).toBe(rateStarted);
      expect(seen).toMatchObject({ opened: sessions, ready: sessions, dropped: 0, reconnects: 0 });
      // A call is due every 20 ms, so one was due in the first tenth of the freeze and waited for the rest of it.
      expect(metrics['call.response']!.max).toBeGreaterThan(freezeMs * 0.9 * 1e6);
    });

    // Each call that times out leaves a connection in the listen queue of a frozen server. One call at a time on each session: far fewer
    // than any queue holds, so that the kernel still takes a connection at the end, and the server is not gone.
    test('frozen for good: the run ends all the same', async () => {
      const scenario = { ...rate, openLoop: { inFlight: 1 } };
      const { code, result } = await frozenForGood(`${name}-stopped`, scenario);
      expect({ code, ended: result.ended }).toEqual({ code: 99, ended: 'complete' });
      expect(result.totals.started).toBe(rateStarted);
      expect(result.totals.availability).toMatchObject({ gone: null });
      expect(result.findings.map((finding) => finding.code)).toContain('unavailable');
    });

    // With more calls than its listen queue holds (it asks for 128) no connection is taken any more, and what takes none is gone.
    const queueIsShort = name === 'rmcp';
    if (queueIsShort)
      test('frozen for good, its listen queue full: it is gone', async () => {
        const load = { model: 'rate', perSecond: 200 };
        const scenario = { ...rate, load, timeouts: { ...rate.timeouts, call: '250ms' } };
        const { code, result } = await frozenForGood(`${name}-full`, scenario);
        expect({ code, ended: result.ended }).toEqual({ code: 1, ended: 'complete' });
        expect(result.totals.availability!.gone).toMatch(/^no answer within/);
        expect(result.findings.map((finding) => finding.code)).toContain('target-gone');
      });

    test('restarted: all sessions come back, and the calls that are left are made on them', async () => {
      const calls = [{ tool: 'sleep', arguments: { ms: 40 } }];
      const load = { model: 'count', calls: 400 };
      const timeouts = { connect: '10s', handshake: '30s', call: '60s' };
      const run = startRun(
        folder,
        `${name}-restarted`,
        { sessions, workers: 1, calls, load, timeouts },
        server!.url,
      );
      await run.says(running);
      await delay(strikeMs);
      signal(server!, 'SIGKILL');
      await server!.stop();
      server = await start(name, { port: Number(new URL(server!.url).port) });
      const outcome = await run.done;
      const { ended, totals, sessions: seen } = accounted(outcome);
      expect({ code: outcome.code, ended }, outcome.text).toEqual({ code: 0, ended: 'complete' });
      expect(totals.started).toBe(400);
      // What was in flight is lost, at most one call a session; nothing else is.
      expect(totals.outcomes.disconnected).toBeLessThanOrEqual(sessions);
      expect(totals.outcomes.ok + totals.outcomes.disconnected).toBe(400);
      expect(seen).toMatchObject({ dropped: sessions, ready: 2 * sessions });
    });
  });
}

// 300 answers of 256 KiB at once on one session. The stream of mcp-go is not read until the server has nothing left to do, for that is three
// times what its queue of a hundred and the socket can hold. Read at once, it is luck whether a queue fills: 0 to 174 of 300 were dropped.
describe('a full queue', () => {
  const calls = 300;
  const overfill = {
    sessions: 1,
    workers: 1,
    calls: [{ tool: 'payload', arguments: { bytes: 262_144 }, expect: { size: { min: '256KiB' } } }],
    load: { model: 'count', calls, inFlight: calls },
    timeouts: { call: '20s' },
  };

  // What the machine decides: how even answers come and how they race their 202; beside drops, what came after its limit, or while the last calls waited.
  const timed = (drops: boolean): string[] => [
    'not-steady',
    'acks-race',
    'acks-after-work',
    'events-in-bursts',
    ...(drops ? ['unavailable', 'responses-late'] : []),
  ];

  for (const candidate of candidates(['mcp-go', 'mcp-go-latest', 'ts-sdk'])) {
    const { name } = candidate.server;
    const drops = name === 'mcp-go';
    test(`${name} ${drops ? 'drops what does not fit, after its 202' : 'loses nothing'}`, async ({
      skip,
    }) => {
      const reason = whyLeftOut(candidate);
      if (reason !== undefined) return skip(reason);
      server = await start(name);
      const held = drops ? await holdStream(server.url, server.pid, calls) : undefined;
      const run = startRun(folder, `${name}-overfilled`, overfill, held?.url ?? server.url);
      const outcome = await run.done.finally(() => held?.close());
      const { ended, totals, findings } = accounted(outcome);
      expect({ code: outcome.code, ended }, outcome.text).toEqual({ code: 0, ended: 'complete' });
      const { ok, acceptedNoResponse } = totals.outcomes;
      expect(ok + acceptedNoResponse).toBe(calls);
      console.log(`${name}: ${ok} of ${calls} answered, ${acceptedNoResponse} dropped`);
      if (drops) expect(acceptedNoResponse).toBeGreaterThan(0);
      else expect(acceptedNoResponse).toBe(0);
      const codes = findings.map((finding) => finding.code).filter((code) => !timed(drops).includes(code));
      expect(codes).toEqual(drops ? ['responses-lost'] : []);
    });
  }
});
