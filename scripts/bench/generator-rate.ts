import { runProgram } from './child-program.js';
import type { WindowFigures } from './clients/measured-window.js';
import { notification } from './clients/messages.js';
import type { RecordingFigures } from './clients/recording-cost.js';
import type { ShardFigures } from './clients/shard-in-process.js';
import { runGenerator, scenarioOf } from './generator-under-test.js';
import { openLiveSession } from './live-session.js';
import { startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Contestant, Figures, RowSpec } from './rounds.js';
import { runWrk, wrkVersion } from './wrk.js';

const sessions = 100;
const inFlight = 4;
const warmupSeconds = 1.5;
const again = ', again';

/** 100 sessions × 4 in flight by one worker, against plain POSTs, undici, and a loop around the official SDK's client. */
export async function generatorRatePart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const live = await openLiveSession(mock.url);
  const limitMs = (warmupSeconds + seconds) * 1000 + 120_000;
  const own =
    (posts: 'serial' | 'pipelined', twin = '') =>
    async () => {
      const load = { sessions, inFlight, posts, workers: 1, warmupSeconds, seconds };
      const { callsPerSec, cpuUsEach } = await runGenerator(mock, load);
      return rateAndCpu(posts + twin, callsPerSec, cpuUsEach);
    };
  const client = (name: string, program: string, more: object) => async () => {
    const load = { url: mock.url, sessions, inFlight, warmupSeconds, seconds };
    const { perSec, cpuUsEach } = await runProgram<WindowFigures>(program, { ...load, ...more }, limitMs);
    return rateAndCpu(name, perSec, cpuUsEach);
  };
  const cannon = { postUrl: live.postUrl, connections: sessions };
  // What is compared stands side by side: the machine's own speed changes within minutes.
  const withWrk = wrkVersion() !== null;
  const contestants: Contestant[] = [
    {
      name: 'undici dispatch',
      run: client('undici dispatch', 'clients/undici-client', { mode: 'pipelined' }),
    },
    { name: 'autocannon', run: client('autocannon', 'clients/autocannon-client', cannon) },
    { name: 'pipelined', run: own('pipelined') },
    ...(withWrk ? [{ name: 'wrk', run: () => wrkRate(live.postUrl, seconds) }] : []),
    { name: 'serial', run: own('serial') },
    { name: 'pipelined, again', run: own('pipelined', again) },
    { name: 'serial, again', run: own('serial', again) },
    { name: 'undici Pool', run: client('undici Pool', 'clients/undici-client', { mode: 'pool' }) },
    { name: 'SDK loop', run: client('SDK loop', 'clients/sdk-client', {}) },
    { name: 'recording', run: recording },
    ...[true, false].map((on) => ({
      name: `recording ${on ? 'on' : 'off'}`,
      run: () => shardCpu(mock.url, on, seconds),
    })),
  ];
  try {
    return await measurePart(contestants, rounds, rows(withWrk ? 'wrk' : 'autocannon'));
  } finally {
    live.close();
    await mock.stop();
  }
}

async function wrkRate(url: string, seconds: number): Promise<Figures> {
  const { perSec } = await runWrk({ url, body: notification, connections: sessions, seconds, pipelined: 1 });
  return { 'wrk: /s': perSec };
}

async function recording(): Promise<Figures> {
  const { nsPerCall, nsPerInterval } = await runProgram<RecordingFigures>(
    'clients/recording-cost',
    {},
    60_000,
  );
  return { 'recording: ns a call': nsPerCall, 'recording: µs an interval': nsPerInterval / 1e3 };
}

async function shardCpu(url: string, on: boolean, seconds: number): Promise<Figures> {
  const load = { sessions, inFlight, posts: 'pipelined', workers: 1, warmupSeconds, seconds } as const;
  const { cpuUsEach } = await runProgram<ShardFigures>(
    'clients/shard-in-process',
    { url, scenario: scenarioOf(load), recording: on },
    (warmupSeconds + seconds) * 1000 + 60_000,
  );
  return { [`recording ${on ? 'on' : 'off'}: CPU µs a call`]: cpuUsEach };
}

function rateAndCpu(name: string, perSec: number, cpuUsEach: number): Figures {
  return { [`${name}: /s`]: perSec, [`${name}: CPU µs each`]: cpuUsEach };
}

function rows(plain: 'wrk' | 'autocannon'): RowSpec[] {
  const over = (title: string, above: string, below: string, least: number): RowSpec => ({
    title,
    of: (round) => round[`${above}: /s`]! / round[`${below}: /s`]!,
    aa: (round) => round[`${above}${again}: /s`]! / round[`${above}: /s`]!,
    goal: { is: 'at least', limit: least },
  });
  return [
    over(`serial: calls/s ÷ plain POSTs/s by ${plain}`, 'serial', plain, 0.5),
    over('serial: calls/s ÷ a client on an undici Pool', 'serial', 'undici Pool', 1.9),
    over('serial: calls/s ÷ a loop around the official SDK client', 'serial', 'SDK loop', 18),
    over(`pipelined: calls/s ÷ plain POSTs/s by ${plain}`, 'pipelined', plain, 1),
    over('pipelined: calls/s ÷ a pipelining client on undici dispatch', 'pipelined', 'undici dispatch', 3),
    {
      title: "pipelined: CPU per call ÷ autocannon's per plain POST",
      of: (round) => round['pipelined: CPU µs each']! / round['autocannon: CPU µs each']!,
      aa: (round) => round[`pipelined${again}: CPU µs each`]! / round['pipelined: CPU µs each']!,
      goal: { is: 'at most', limit: 0.7 },
    },
    {
      title: 'recording at full rate, as a share of a core',
      of: (round) =>
        (round['recording: ns a call']! * round['pipelined: /s']! +
          round['recording: µs an interval']! * 1e3) /
        1e7,
      unit: '%',
      goal: { is: 'at most', limit: 3 },
      note: 'cost of one call’s records × calls/s, and one interval a second',
    },
    {
      title: 'CPU per call with recording ÷ without',
      of: (round) => round['recording on: CPU µs a call']! / round['recording off: CPU µs a call']!,
      note: 'the same by difference, in one thread; noisier',
    },
  ];
}
