import { processCpuMs } from '../../src/machine/machine-cpu.js';
import type { MockProcess } from '../../src/target/built-in-mock.js';
import { runCheckedReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Contestant } from './rounds.js';

const load = { lanes: 100, inFlight: 4, warmupSeconds: 1 } as const;
const variants = [
  ['uws, 1 thread', []],
  ['uws, 2 threads', ['--threads', '2']],
  ['node', ['--engine', 'node']],
] as const;

/** What a second thread does to the rate: seen, not promised. And what the engine without native code reaches of it. */
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
            const startCpuMs = processCpuMs(mock.pid);
            const { perSec, sent } = await runCheckedReference(mock, { ...load, mode, seconds });
            const endCpuMs = processCpuMs(mock.pid);
            return {
              [`${name}: calls/s, ${mode}`]: perSec,
              ...(startCpuMs === null || endCpuMs === null
                ? {}
                : { [`${name}: CPU per call, ${mode}, µs`]: ((endCpuMs - startCpuMs) * 1000) / sent }),
            };
          },
        });
    }
    const against = (variant: string, mode: string) => ({
      title: `${variant} ÷ ${variants[0][0]}, calls/s, ${mode}`,
      of: (round: Readonly<Record<string, number>>) =>
        round[`${variant}: calls/s, ${mode}`]! / round[`${variants[0][0]}: calls/s, ${mode}`]!,
      ...(variant === 'node' ? { goal: { is: 'at least', limit: 0.65 } as const } : {}),
    });
    const cpuAgainst = (variant: string, mode: string) => ({
      title: `${variant} ÷ ${variants[0][0]}, CPU of the mock per call, ${mode}`,
      of: (round: Readonly<Record<string, number>>) =>
        round[`${variant}: CPU per call, ${mode}, µs`]! /
        round[`${variants[0][0]}: CPU per call, ${mode}, µs`]!,
    });
    return await measurePart(
      contestants,
      rounds,
      variants
        .slice(1)
        .flatMap(([name]) => [
          against(name, 'pipelined'),
          against(name, 'serial'),
          cpuAgainst(name, 'pipelined'),
          cpuAgainst(name, 'serial'),
        ]),
      notes,
    );
  } finally {
    await Promise.all(mocks.map((mock) => mock.stop()));
  }
}
