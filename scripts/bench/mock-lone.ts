import { type RunningProgram, startProgram } from './child-program.js';
import { runCheckedReference, runReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';

const lone = { mode: 'pipelined', lanes: 1, inFlight: 1, warmupSeconds: 1 } as const;

/** One session, one call in flight: whether gathering its writes makes the mock slower than handlers that gather nothing. */
export async function mockLonePart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const acceptFirst = await startHandler(true);
  const eventFirst = await startHandler(false);
  const handler = (url: string, figure: string) => async () => {
    const { p50Ns } = await runReference({ ...lone, url, seconds });
    return { [figure]: p50Ns! / 1e3 };
  };
  const contestants = [
    { name: 'event first', run: handler(eventFirst.said.url, figures.eventFirst) },
    {
      name: 'mock',
      run: async () => {
        const { p50Ns } = await runCheckedReference(mock, { ...lone, seconds });
        return { [figures.mock]: p50Ns! / 1e3 };
      },
    },
    { name: '202 first', run: handler(acceptFirst.said.url, figures.acceptFirst) },
  ];
  try {
    return await measurePart(contestants, rounds, [
      {
        title: 'p50 of a lone call ÷ that of a handler that writes at once, 202 first as the mock',
        of: (round) => round[figures.mock]! / round[figures.acceptFirst]!,
        goal: { is: 'at most', limit: 1.1 },
      },
      {
        title: 'the same ÷ a handler whose event overtakes its 202',
        of: (round) => round[figures.mock]! / round[figures.eventFirst]!,
      },
    ]);
  } finally {
    await Promise.all([mock.stop(), acceptFirst.stop(), eventFirst.stop()]);
  }
}

async function startHandler(acceptFirst: boolean): Promise<RunningProgram<{ url: string }>> {
  const handler = await startProgram<{ url: string }>('servers/write-at-once', { acceptFirst });
  // One request at a time: uWebSockets closes a connection with a second one while the first is not answered yet.
  await runReference({ ...lone, url: handler.said.url, lanes: 20, seconds: 1 });
  return handler;
}

const figures = {
  mock: 'lone call, mock: p50 µs',
  acceptFirst: 'lone call, written at once, 202 first: p50 µs',
  eventFirst: 'lone call, written at once, event first: p50 µs',
};
