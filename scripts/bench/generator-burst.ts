import { burstSliceNs } from '../../src/load/burst-loop.js';
import type { ScenarioInput } from '../../src/scenario/schema.js';
import { runProgram } from './child-program.js';
import type { BurstWriterFigures, BurstWriterOptions } from './clients/burst-writer.js';
import type { GeneratorFigures } from './clients/generator.js';
import { median } from '../../src/compare/median.js';
import { readCounts, resetCounts, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Figures, RowSpec } from './rounds.js';

const sessions = 1000;
const calls = 4;
const everyMs = 1000;
const warmupBursts = 2;
const bursts = 5;
const again = ', again';
const modes = ['serial', 'pipelined'] as const;
type Mode = (typeof modes)[number];

/** How long it takes to write out 1,000 sessions × 4 calls that are due at once, against a bare loop of writes. */
export async function generatorBurstPart({ rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const contestants = modes.flatMap((mode) => [
    { name: `burst, ${mode}`, run: () => own(mode, '') },
    { name: `bare loop, ${mode}`, run: () => bare(mode, '') },
    { name: `bare loop, ${mode}, again`, run: () => bare(mode, again) },
    { name: `burst, ${mode}, again`, run: () => own(mode, again) },
  ]);
  try {
    return await measurePart(contestants, rounds, modes.map(row));
  } finally {
    await mock.stop();
  }

  async function own(mode: Mode, twin: string): Promise<Figures> {
    await resetCounts(mock);
    const { sent, ok, burstWriteMs, queueWaitMs } = await runProgram<GeneratorFigures>(
      'clients/generator',
      { url: mock.url, scenario: scenarioOf(mode) },
      120_000,
    );
    await check(sent, sent - ok);
    return {
      [`burst, ${mode}${twin}: ms`]: median(burstWriteMs),
      // What waits for a connection is not written when the burst is: there must be next to none.
      [`burst, ${mode}${twin}: longest wait for a connection, ms`]: queueWaitMs,
    };
  }

  async function bare(mode: Mode, twin: string): Promise<Figures> {
    await resetCounts(mock);
    const options = { url: mock.url, scenario: scenarioOf(mode), calls, mode, everyMs, warmupBursts, bursts };
    const figures = await runProgram<BurstWriterFigures>(
      'clients/burst-writer',
      { ...options, sliceMs: burstSliceNs / 1e6 } satisfies BurstWriterOptions,
      120_000,
    );
    await check(figures.sent, 0);
    return {
      [`bare loop, ${mode}${twin}: ms`]: median(figures.writeMs),
      [`bare loop, ${mode}${twin}: slices`]: median(figures.slices),
    };
  }

  async function check(sent: number, unanswered: number): Promise<void> {
    const expected = sessions * calls * (warmupBursts + bursts);
    const { received } = (await readCounts(mock)).calls;
    if (sent !== expected || received !== expected || unanswered !== 0)
      throw new Error(
        `of ${expected} calls ${sent} were sent, ${received} received, ${unanswered} unanswered`,
      );
  }
}

function scenarioOf(mode: Mode): ScenarioInput {
  return {
    name: 'burst',
    sessions,
    posts: mode,
    workers: 1,
    warmup: `${warmupBursts * everyMs}ms`,
    // A phase each, so that each has its own time.
    phases: Array.from({ length: bursts }, (_, index) => ({
      name: `burst ${index + 1}`,
      duration: `${everyMs}ms`,
      load: { model: 'burst', calls, every: `${everyMs}ms` },
    })),
    calls: [{ tool: 'echo', arguments: { message: 'hello {{seq}}' }, expect: 'echo' }],
    timeouts: { connect: '30s', handshake: '60s' },
  };
}

function row(mode: Mode): RowSpec {
  const ratioOf = (round: Readonly<Record<string, number>>, twin: string): number =>
    round[`burst, ${mode}${twin}: ms`]! / round[`bare loop, ${mode}${twin}: ms`]!;
  return {
    title: `${mode}: writing out a burst of ${sessions} sessions × ${calls} calls ÷ a bare loop of the same writes`,
    of: (round) => ratioOf(round, ''),
    // The bare loop differs from itself, too: both were measured twice.
    aa: (round) => ratioOf(round, again) / ratioOf(round, ''),
    goal: { is: 'at most', limit: 1.5 },
    note: 'from the due moment to the last write; both read between slices of the same length',
  };
}
