import { startProgram } from './child-program.js';
import type { HolderFigures } from './clients/session-holder.js';
import { readCounts, runCheckedReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import { residentBytes } from './resident-memory.js';
import type { Contestant } from './rounds.js';

const many = 9000;
const inFlight = 4;
const warmupSeconds = 1;

/** 9,000 open sessions: failed connects and memory; and what 2,000 active ones do to the rate. */
export async function mockSessionsPart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const calls = (mode: 'pipelined' | 'serial', lanes: number): Contestant => ({
    name: `${lanes} sessions, ${mode}`,
    run: async () => {
      const { perSec } = await runCheckedReference(mock, { mode, lanes, inFlight, warmupSeconds, seconds });
      return { [`calls/s at ${lanes} sessions, ${mode}`]: perSec };
    },
  });
  const ratio = (mode: string) => ({
    title: `calls/s at 2,000 sessions × 4 ÷ at 100 × 4, ${mode}`,
    of: (round: Readonly<Record<string, number>>) =>
      round[`calls/s at 2000 sessions, ${mode}`]! / round[`calls/s at 100 sessions, ${mode}`]!,
    goal: { is: 'at least', limit: 0.5 } as const,
  });
  const contestants = [
    { name: `${many} idle sessions`, run: () => holdMany('idle sessions', []) },
    {
      name: `${many} idle sessions, node engine`,
      run: () => holdMany('idle sessions, node engine', ['--engine', 'node']),
    },
    calls('pipelined', 100),
    calls('pipelined', 2000),
    calls('serial', 100),
    calls('serial', 2000),
  ];
  try {
    return await measurePart(contestants, rounds, [
      {
        title: `${many} sessions, each with its own POST connection: sessions that did not open`,
        of: (round) => many - round['idle sessions: open']!,
        unit: '',
        goal: { is: 'exactly', limit: 0 },
        counts: 'largest',
      },
      {
        title: `${many} idle sessions: resident memory of the mock per session`,
        of: (round) => round['idle sessions: KB each']!,
        unit: 'KB',
        goal: { is: 'at most', limit: 5 },
        note: 'growth of a warm, fresh process',
      },
      {
        title: 'the same of the node engine: sessions that did not open',
        of: (round) => many - round['idle sessions, node engine: open']!,
        unit: '',
        goal: { is: 'exactly', limit: 0 },
        counts: 'largest',
      },
      {
        title: 'the same of the node engine: resident memory per session',
        of: (round) => round['idle sessions, node engine: KB each']!,
        unit: 'KB',
        goal: { is: 'at most', limit: 10 },
      },
      ratio('pipelined'),
      ratio('serial'),
    ]);
  } finally {
    await mock.stop();
  }
}

/** In a fresh mock each time: memory that others have left behind would be used again and hide the growth. */
async function holdMany(figure: string, args: readonly string[]): Promise<Record<string, number>> {
  const mock = await startWarmMock(args);
  const beforeBytes = residentBytes(mock.pid);
  const holder = await startProgram<HolderFigures>('clients/session-holder', {
    url: mock.url,
    sessions: many,
  });
  try {
    const grownBytes = residentBytes(mock.pid) - beforeBytes;
    const { sessions } = await readCounts(mock);
    return {
      [`${figure}: open`]: sessions.open,
      [`${figure}: failed`]: holder.said.failed,
      [`${figure}: opened in ms`]: holder.said.openedMs,
      [`${figure}: KB each`]: grownBytes / many / 1024,
    };
  } finally {
    await holder.stop();
    await mock.stop();
  }
}
