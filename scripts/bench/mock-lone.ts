import { startProgram } from './child-program.js';
import { runCheckedReference, runReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';

const lone = { mode: 'pipelined', lanes: 1, inFlight: 1, warmupSeconds: 1 } as const;

/** One session, one call in flight: whether gathering its writes makes the mock slower than a handler that gathers nothing. */
export async function mockLonePart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const atOnce = await startProgram<{ url: string }>('servers/write-at-once', {});
  const { url } = atOnce.said;
  await runReference({ ...lone, url, lanes: 20, inFlight: 4, seconds: 1 });
  const contestants = [
    {
      name: 'mock',
      run: async () => {
        const { p50Ns } = await runCheckedReference(mock, { ...lone, seconds });
        return { 'lone call, mock: p50 µs': p50Ns! / 1e3 };
      },
    },
    {
      name: 'write at once',
      run: async () => {
        const { p50Ns } = await runReference({ ...lone, url, seconds });
        return { 'lone call, written at once: p50 µs': p50Ns! / 1e3 };
      },
    },
  ];
  try {
    return await measurePart(contestants, rounds, [
      {
        title: 'p50 of a lone call ÷ that of a handler that writes at once',
        of: (round) => round['lone call, mock: p50 µs']! / round['lone call, written at once: p50 µs']!,
        goal: { is: 'at most', limit: 1.1 },
      },
    ]);
  } finally {
    await Promise.all([mock.stop(), atOnce.stop()]);
  }
}
