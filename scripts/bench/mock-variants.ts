import type { MockProcess } from '../../src/target/built-in-mock.js';
import { runReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Contestant } from './rounds.js';

const load = { lanes: 100, inFlight: 4, warmupSeconds: 1 } as const;
const variants = [
  ['uws, 1 thread', []],
  ['uws, 2 threads', ['--threads', '2']],
  ['node:http', ['--engine', 'node']],
] as const;

/** What a second thread, and the engine without native code, do to the rate: seen, not promised. */
export async function mockVariantsPart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mocks: MockProcess[] = [];
  const contestants: Contestant[] = [];
  const notes: string[] = [];
  try {
    for (const [name, args] of variants) {
      const mock = await startWarmMock(args).catch((error: Error) => error);
      if (mock instanceof Error) {
        notes.push(`${name} was not measured: ${mock.message}`);
        continue;
      }
      mocks.push(mock);
      for (const mode of ['pipelined', 'serial'] as const)
        contestants.push({
          name: `${name}, ${mode}`,
          run: async () => {
            const { perSec } = await runReference({ ...load, url: mock.url, mode, seconds });
            return { [`${name}: calls/s, ${mode}`]: perSec };
          },
        });
    }
    const against = (variant: string, mode: string) => ({
      title: `${variant} ÷ ${variants[0][0]}, calls/s, ${mode}`,
      of: (round: Readonly<Record<string, number>>) =>
        round[`${variant}: calls/s, ${mode}`]! / round[`${variants[0][0]}: calls/s, ${mode}`]!,
    });
    return await measurePart(
      contestants,
      rounds,
      variants.slice(1).flatMap(([name]) => [against(name, 'pipelined'), against(name, 'serial')]),
      notes,
    );
  } finally {
    await Promise.all(mocks.map((mock) => mock.stop()));
  }
}
