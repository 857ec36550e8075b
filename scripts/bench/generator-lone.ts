import { notification } from './clients/messages.js';
import { runGenerator } from './generator-under-test.js';
import { openLiveSession } from './live-session.js';
import { runReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Figures } from './rounds.js';
import { runWrk, wrkVersion } from './wrk.js';

const warmupSeconds = 1;

/** One session, one call in flight, against a plain POST on one connection. */
export async function generatorLonePart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const live = await openLiveSession(mock.url);
  const withWrk = wrkVersion() !== null;
  const plain = async (): Promise<number> => {
    if (withWrk) {
      const wrk = { url: live.postUrl, body: notification, connections: 1, seconds, pipelined: 1 };
      return (await runWrk(wrk)).p50Ns!;
    }
    // autocannon knows whole milliseconds only.
    const reference = { mode: 'plain', lanes: 1, inFlight: 1, warmupSeconds, seconds } as const;
    return (await runReference({ ...reference, url: mock.url })).p50Ns!;
  };
  const own = async (name: string): Promise<Figures> => {
    const load = { sessions: 1, inFlight: 1, workers: 1, warmupSeconds, seconds };
    const { serviceP50Ns } = await runGenerator(mock, { ...load, posts: 'serial' });
    return { [`${name}: p50 µs`]: serviceP50Ns / 1e3 };
  };
  const contestants = [
    { name: 'lone call', run: () => own('lone call.service') },
    { name: 'lone call, again', run: () => own('lone call.service, again') },
    {
      name: 'lone plain POST',
      run: async () => ({ 'lone plain POST: p50 µs': (await plain()) / 1e3 }),
    },
  ];
  try {
    return await measurePart(contestants, rounds, [
      {
        title: `1 session × 1 in flight: p50 of call.service ÷ ${withWrk ? 'wrk’s' : 'the reference client’s'} median for a plain POST`,
        of: (round) => round['lone call.service: p50 µs']! / round['lone plain POST: p50 µs']!,
        aa: (round) => round['lone call.service, again: p50 µs']! / round['lone call.service: p50 µs']!,
        goal: { is: 'at most', limit: 1.15 },
      },
    ]);
  } finally {
    live.close();
    await mock.stop();
  }
}
