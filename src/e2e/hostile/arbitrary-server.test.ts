import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { planScenario } from '../../scenario/load-scenario.js';
import { type SessionScript, sessionScripts } from './arbitrary-answers.js';
import { ArbitraryServer } from './arbitrary-server.js';
import { runChecked } from '../fixtures/play.js';

vi.setConfig({ testTimeout: 300_000, maxConcurrency: 24 });

// What would end the worker ends up here.
const crashes: unknown[] = [];
vi.mock('../../load/crash.js', () => ({ crash: (error: unknown) => void crashes.push(error) }));

const modes = ['serial', 'pipelined', 'shared'] as const;
const parts = [1, 2, 3, 4, 5, 6, 7, 8];
const sessionsPerShard = 50;
const cases = 10_000;
// A failure prints its seed and path. MCP_BENCH_FUZZ_SEED=… tries others; with MCP_BENCH_FUZZ_SHRINK=1 it looks, for long, for the smallest case.
const seed = Number(process.env['MCP_BENCH_FUZZ_SEED'] ?? 20_261_118);

const shrink = process.env['MCP_BENCH_FUZZ_SHRINK'] !== undefined;

/** Drives one shard through one session of each script, and holds it to its books and to what the server received. */
async function drive(scripts: readonly SessionScript[], mode: (typeof modes)[number]): Promise<void> {
  const server = await ArbitraryServer.listen(scripts);
  try {
    const plan = planScenario({
      name: 'arbitrary',
      target: server.url,
      sessions: scripts.length,
      load: { model: 'count', calls: scripts.length * 3, inFlight: 2 },
      calls: [{ tool: 'echo', arguments: { message: 'hello' }, expect: 'echo' }],
      timeouts: { connect: '1s', handshake: '20s', call: '200ms' },
      posts: mode === 'shared' ? { mode, connections: 16 } : { mode },
      workers: 1,
    });
    const { result, final } = await runChecked(plan);
    expect(crashes.splice(0)).toEqual([]);
    expect(final.internalErrors).toMatchObject({ count: 0 });
    const { totals, metrics } = result;
    expect(totals.conserved).toBe(true);
    expect(metrics['call.response']?.count ?? 0).toBe(totals.outcomes.ok);
    for (const [name, { min }] of Object.entries(metrics)) expect(min, name).toBeGreaterThanOrEqual(0);
    // What was never noted down as sent would have been on its way ever since the clock began.
    if (totals.outcomes.ok > 0)
      expect(metrics['call.service']!.max).toBeLessThanOrEqual(metrics['call.response']!.max * 1.01);
    // Nothing was received that is not counted as sent, and nothing was sent twice.
    expect(server.received.size).toBeLessThanOrEqual(totals.sent);
    expect([...server.received.values()].every((times) => times === 1)).toBe(true);
  } finally {
    await server.close();
  }
}

describe.concurrent('a shard against a server that says anything at all', () => {
  test.concurrent.each(modes.flatMap((mode) => parts.map((part) => ({ mode, part }))))(
    '$mode, part $part of 8',
    async ({ mode, part }) => {
      const numRuns = Math.ceil(cases / sessionsPerShard / modes.length / parts.length);
      const scripts = fc.array(sessionScripts, {
        minLength: sessionsPerShard,
        maxLength: sessionsPerShard,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(scripts, (all) => drive(all, mode)),
        { numRuns, seed: seed + part, endOnFailure: !shrink },
      );
    },
  );
});
