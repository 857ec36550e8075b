import { type MockProcess, startMockProcess } from '../../src/target/built-in-mock.js';
import { runProgram } from './child-program.js';
import type { BareLoopFigures } from './clients/bare-loop.js';
import type { WindowFigures } from './clients/measured-window.js';
import { streamableExchange } from './clients/streamable-exchange.js';
import { findFleetClient } from './fleet-client.js';
import { type GeneratorLoad, runGenerator, scenarioOf } from './generator-under-test.js';
import { readCounts, resetCounts } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Contestant, Figures, RowSpec } from './rounds.js';
import { runWrk, wrkVersion } from './wrk.js';

const sessions = 100;
const inFlight = 4;
const connections = sessions * inFlight;
const warmupSeconds = 1;
// All of them have to be through within three minutes.
const mostSeconds = 2;
const stateless = '2026-07-28';
const withSessions = '2025-11-25';
const again = ', again';
type Revision = typeof stateless | typeof withSessions;
const limitMs = 120_000;

/** 100 clients × 4 in flight by one worker over Streamable HTTP, against a loop that only writes, wrk, undici and the official SDKs' clients. */
export async function generatorStreamablePart(options: BenchOptions): Promise<Part> {
  const seconds = Math.min(options.seconds, mostSeconds);
  const mock = await startMockProcess();
  const streaming = await startMockProcess(['--set', 'streamable.body=sse']);
  const { url, scenario, timing } = {
    url: mock.urls.streamable,
    scenario: scenarioOf(loadOf(stateless, seconds)),
    timing: { warmupSeconds, seconds },
  };
  const own =
    (name: string, protocol: Revision, target = mock) =>
    async () => {
      const { callsPerSec, cpuUsEach } = await runGenerator(target, loadOf(protocol, seconds));
      return rateAndCpu(name, callsPerSec, cpuUsEach);
    };
  const undici = async (): Promise<Figures> => {
    const told = { url, scenario, connections, ...timing };
    const figures = await runProgram<WindowFigures>('clients/undici-request', told, limitMs);
    return rateAndCpu('undici request', figures.perSec, figures.cpuUsEach);
  };
  const sdk = async (): Promise<Figures> => {
    const told = { url, transport: 'streamable', sessions, inFlight, ...timing };
    const figures = await runProgram<WindowFigures>('clients/sdk-client', told, limitMs);
    return rateAndCpu('SDK 1.x loop', figures.perSec, figures.cpuUsEach);
  };
  const fleetClient = await findFleetClient('ts-sdk-2');
  const sdk2 = async (): Promise<Figures> => {
    const echo = { tool: 'echo', arguments: { message: 'hello 100000' } };
    const told = { url, transport: 'stateless', sessions, inFlight, ...echo, ...timing } as const;
    return { 'SDK 2.x loop: /s': await fleetClient!.run(told, limitMs) };
  };
  // What is compared stands side by side: the machine's own speed changes within minutes.
  const contestants: Contestant[] = [
    { name: 'undici request', run: undici },
    ...(wrkVersion() === null ? [] : [{ name: 'wrk', run: () => wrkRate(url, seconds) }]),
    { name: 'stateless', run: own('stateless', stateless) },
    { name: 'bare loop', run: () => bareLoop(mock, seconds) },
    { name: `stateless${again}`, run: own(`stateless${again}`, stateless) },
    { name: 'sessions, JSON', run: own('sessions, JSON', withSessions) },
    { name: 'sessions, events', run: own('sessions, events', withSessions, streaming) },
    { name: 'SDK 1.x loop', run: sdk },
    ...(fleetClient === null ? [] : [{ name: 'SDK 2.x loop', run: sdk2 }]),
  ];
  const notes =
    fleetClient === null
      ? [
          'The client of the SDK 2.x was not measured: it comes with the fleet (`npm run fleet -- install ts-sdk-2`).',
        ]
      : [];
  try {
    await bareLoop(mock, 0.5);
    await runGenerator(streaming, { ...loadOf(withSessions, 0.5), warmupSeconds: 0.1 });
    return await measurePart(contestants, options.rounds, rows, notes);
  } finally {
    await Promise.all([mock.stop(), streaming.stop()]);
  }
}

function loadOf(protocol: Revision, seconds: number): GeneratorLoad {
  return { sessions, inFlight, posts: 'serial', protocol, workers: 1, warmupSeconds, seconds };
}

/** Throws unless the mock received what was sent, and answered all of it. */
async function bareLoop(mock: MockProcess, seconds: number): Promise<Figures> {
  await resetCounts(mock);
  const scenario = scenarioOf(loadOf(stateless, seconds));
  const told = { url: mock.urls.streamable, scenario, connections, warmupSeconds, seconds };
  const { sent, perSec, cpuUsEach } = await runProgram<BareLoopFigures>('clients/bare-loop', told, limitMs);
  const { calls, responsesSent } = await readCounts(mock);
  if (calls.received !== sent || responsesSent !== sent)
    throw new Error(
      `the loop sent ${sent} calls, the mock received ${calls.received} and answered ${responsesSent}`,
    );
  return rateAndCpu('bare loop', perSec, cpuUsEach);
}

async function wrkRate(url: string, seconds: number): Promise<Figures> {
  const { headers, textOf } = streamableExchange(url, scenarioOf(loadOf(stateless, seconds)));
  const { perSec } = await runWrk({
    url,
    headers,
    body: textOf(100_000),
    connections,
    seconds,
    pipelined: 1,
  });
  return { 'wrk: /s': perSec };
}

function rateAndCpu(name: string, perSec: number, cpuUsEach: number): Figures {
  return { [`${name}: /s`]: perSec, [`${name}: CPU µs each`]: cpuUsEach };
}

const aa: RowSpec['aa'] = (round) => round[`stateless${again}: /s`]! / round['stateless: /s']!;

function over(title: string, above: string, below: string, least?: number): RowSpec {
  return {
    title: `Streamable HTTP, ${title}`,
    of: (round) => round[`${above}: /s`]! / round[`${below}: /s`]!,
    aa,
    ...(least === undefined ? {} : { goal: { is: 'at least', limit: least } }),
  };
}

const rows: readonly RowSpec[] = [
  over('stateless: calls/s ÷ the same requests by wrk', 'stateless', 'wrk', 0.75),
  over('stateless: calls/s ÷ a bare loop that writes them and parses nothing', 'stateless', 'bare loop', 0.8),
  {
    title: 'Streamable HTTP, stateless: CPU per call ÷ the bare loop’s',
    of: (round) => round['stateless: CPU µs each']! / round['bare loop: CPU µs each']!,
    aa: (round) => round[`stateless${again}: CPU µs each`]! / round['stateless: CPU µs each']!,
    goal: { is: 'at most', limit: 1.6 },
  },
  over('sessions: calls/s with bodies of events ÷ with JSON', 'sessions, events', 'sessions, JSON', 0.75),
  over('sessions: calls/s with JSON ÷ stateless', 'sessions, JSON', 'stateless'),
  over('stateless: calls/s ÷ request() of an undici Pool', 'stateless', 'undici request', 1.7),
  over('stateless: calls/s ÷ a loop around the official SDK 1.x client', 'stateless', 'SDK 1.x loop', 15),
  over('stateless: calls/s ÷ a loop around the official SDK 2.x client', 'stateless', 'SDK 2.x loop', 15),
];
