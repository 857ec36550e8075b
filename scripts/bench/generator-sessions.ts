import { type GeneratorLoad, runLossyGenerator } from './generator-under-test.js';
import { startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Figures } from './rounds.js';

const many = 9000;
const few = 100;
const inFlight = 4;

/** 9,000 sessions with POST connections of their own: whether all open, what they weigh, what is left of the rate. */
export async function generatorSessionsPart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const load = { inFlight, posts: 'pipelined', workers: 1, seconds } as const;
  try {
    return await measurePart(
      [
        { name: `${few} sessions`, run: () => measure(few, load) },
        { name: `${many} sessions`, run: () => measure(many, load) },
        { name: `${few} sessions, again`, run: () => measureAgain(load) },
      ],
      rounds,
      [
        {
          title: `${many} sessions with POST connections of their own: not ready, failed or dropped`,
          of: (round) =>
            many - round[`${many} sessions: ready`]! + round[`${many} sessions: failed or dropped`]!,
          unit: '',
          goal: { is: 'exactly', limit: 0 },
          counts: 'largest',
        },
        {
          title: `${many} sessions: calls lost`,
          of: (round) => round[`${many} sessions: calls lost`]!,
          unit: '',
          goal: { is: 'exactly', limit: 0 },
          counts: 'largest',
        },
        {
          title: `${many} sessions: resident memory of the generator per session, all open`,
          of: (round) => round[`${many} sessions: KB each, open`]!,
          unit: 'KB',
          goal: { is: 'at most', limit: 25 },
          note: 'all of the process, not its growth alone',
        },
        {
          title: `${many} sessions: the same at its highest, under full load`,
          of: (round) => round[`${many} sessions: KB each, at most`]!,
          unit: 'KB',
        },
        {
          title: `calls/s at ${many} sessions × ${inFlight} ÷ at ${few} × ${inFlight}`,
          aa: (round) => round[`${few} sessions, again: calls/s`]! / round[`${few} sessions: calls/s`]!,
          of: (round) => round[`${many} sessions: calls/s`]! / round[`${few} sessions: calls/s`]!,
          goal: { is: 'at least', limit: 0.35 },
        },
      ],
    );
  } finally {
    await mock.stop();
  }

  async function measureAgain(rest: Parameters<typeof measure>[1]): Promise<Figures> {
    const figures = await measure(few, rest);
    return { [`${few} sessions, again: calls/s`]: figures[`${few} sessions: calls/s`]! };
  }

  async function measure(
    sessions: number,
    rest: Omit<GeneratorLoad, 'sessions' | 'warmupSeconds'>,
  ): Promise<Figures> {
    // The mock has closed connections that idled for 10 s, if opening all took that long: they are opened again first.
    const warmupSeconds = sessions === many ? 8 : 1.5;
    const figures = await runLossyGenerator(mock, { ...rest, sessions, warmupSeconds });
    const { residentBytes } = figures;
    return {
      [`${sessions} sessions: calls/s`]: figures.callsPerSec,
      [`${sessions} sessions: ready`]: figures.sessionsReady,
      [`${sessions} sessions: failed or dropped`]: figures.sessionsFailed + figures.sessionsDropped,
      [`${sessions} sessions: calls lost`]: figures.sent - figures.ok,
      [`${sessions} sessions: connects retried`]: figures.connectRetries,
      [`${sessions} sessions: opened in ms`]: figures.openedMs,
      [`${sessions} sessions: KB each, open`]: residentBytes.open / sessions / 1024,
      [`${sessions} sessions: KB each, growth`]:
        (residentBytes.open - residentBytes.before) / sessions / 1024,
      [`${sessions} sessions: KB each, at most`]: residentBytes.most / sessions / 1024,
    };
  }
}
