import { runGenerator } from './generator-under-test.js';
import { startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { RowSpec } from './rounds.js';

const modes = ['pipelined', 'serial'] as const;

/** What a second worker thread does to the rate: seen, not promised. */
export async function generatorWorkersPart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const contestants = modes.flatMap((posts) =>
    [
      { workers: 1, twin: '' },
      { workers: 2, twin: '' },
      { workers: 1, twin: ', again' },
    ].map(({ workers, twin }) => ({
      name: `${workers} workers, ${posts}${twin}`,
      run: async () => {
        const load = { sessions: 100, inFlight: 4, posts, workers, warmupSeconds: 1.5, seconds };
        const { callsPerSec } = await runGenerator(mock, load);
        return { [`${workers} workers, ${posts}${twin}: calls/s`]: callsPerSec };
      },
    })),
  );
  const rows = modes.map((posts): RowSpec => ({
    title: `calls/s with --workers 2 ÷ with 1, ${posts}`,
    aa: (round) => round[`1 workers, ${posts}, again: calls/s`]! / round[`1 workers, ${posts}: calls/s`]!,
    of: (round) => round[`2 workers, ${posts}: calls/s`]! / round[`1 workers, ${posts}: calls/s`]!,
  }));
  try {
    return await measurePart(contestants, rounds, rows);
  } finally {
    await mock.stop();
  }
}
