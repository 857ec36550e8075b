import { startProgram } from './child-program.js';
import { notification } from './clients/messages.js';
import { openLiveSession } from './live-session.js';
import { runCheckedReference, runReference, startWarmMock } from './mock-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Contestant, RowSpec } from './rounds.js';
import { runWrk, wrkVersion } from './wrk.js';

const lanes = 100;
const inFlight = 4;
const warmupSeconds = 1;

/** Calls/s against the plain POSTs/s of the same process, and against a server on the official SDK. */
export async function mockRatePart({ seconds, rounds }: BenchOptions): Promise<Part> {
  const mock = await startWarmMock();
  const sdk = await startProgram<{ url: string }>('servers/sdk-server', {});
  const live = await openLiveSession(mock.url);
  const reference =
    (mode: 'plain' | 'pipelined' | 'serial', perWrite: number, figure: string): Contestant['run'] =>
    async () => {
      const { perSec } = await runCheckedReference(mock, {
        mode,
        lanes,
        inFlight: perWrite,
        warmupSeconds,
        seconds,
      });
      return { [figure]: perSec };
    };
  const wrk =
    (pipelined: number, figure: string): Contestant['run'] =>
    async () => {
      const options = { url: live.postUrl, body: notification, connections: lanes, seconds, pipelined };
      return { [figure]: (await runWrk(options)).perSec };
    };
  const sdkCalls = async () => {
    const options = { url: sdk.said.url, lanes, inFlight, warmupSeconds, seconds };
    const { perSec } = await runReference({ ...options, mode: 'pipelined' });
    return { 'SDK server: calls/s, pipelined': perSec };
  };
  const withWrk = wrkVersion() !== null;
  const contestants: Contestant[] = [
    ...(withWrk ? [{ name: 'wrk', run: wrk(1, figures.wrkPlain) }] : []),
    { name: 'calls, pipelined', run: reference('pipelined', inFlight, figures.pipelined) },
    { name: 'reference, plain', run: reference('plain', 1, figures.plain) },
    { name: 'calls, serial', run: reference('serial', inFlight, figures.serial) },
    ...(withWrk ? [{ name: 'wrk, pipelined', run: wrk(inFlight, figures.wrkPlainPipelined) }] : []),
    { name: 'reference, plain, pipelined', run: reference('plain', inFlight, figures.plainPipelined) },
    { name: 'SDK server', run: sdkCalls },
  ];
  try {
    return await measurePart(contestants, rounds, rows(withWrk));
  } finally {
    live.close();
    await Promise.all([mock.stop(), sdk.stop()]);
  }
}

const figures = {
  pipelined: 'calls/s, pipelined',
  serial: 'calls/s, serial',
  wrkPlain: 'wrk: plain POSTs/s',
  wrkPlainPipelined: 'wrk: plain POSTs/s, 4 per write',
  plain: 'reference: plain POSTs/s',
  plainPipelined: 'reference: plain POSTs/s, 4 per write',
  sdk: 'SDK server: calls/s, pipelined',
};

function rows(withWrk: boolean): RowSpec[] {
  const plain = withWrk ? figures.wrkPlain : figures.plain;
  const by = withWrk ? 'wrk' : 'the reference client';
  const over = (title: string, above: string, below: string, least?: number): RowSpec => ({
    title,
    of: (round) => round[above]! / round[below]!,
    ...(least === undefined ? {} : { goal: { is: 'at least', limit: least } }),
  });
  return [
    over(`calls/s, several requests per write ÷ plain POSTs/s by ${by}`, figures.pipelined, plain, 0.9),
    over(`calls/s, one request per connection ÷ plain POSTs/s by ${by}`, figures.serial, plain, 0.5),
    over('calls/s ÷ those of a server on the official SDK', figures.pipelined, figures.sdk, 20),
    ...(withWrk
      ? [over('the first, ÷ plain POSTs/s by the reference client', figures.pipelined, figures.plain)]
      : []),
    over(
      'the first, ÷ plain POSTs/s, also 4 per write, by the reference client',
      figures.pipelined,
      figures.plainPipelined,
    ),
    ...(withWrk
      ? [
          over(
            'the first, ÷ plain POSTs/s, also 4 per write, by wrk',
            figures.pipelined,
            figures.wrkPlainPipelined,
          ),
        ]
      : []),
  ];
}
