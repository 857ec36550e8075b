import { processCpuMs } from '../../src/machine/machine-cpu.js';
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
  const sdk = await startProgram<{ url: string }>('servers/sdk-server', { express: false });
  const sdkExpress = await startProgram<{ url: string }>('servers/sdk-server', { express: true });
  const live = await openLiveSession(mock.url);
  const reference =
    (mode: 'plain' | 'pipelined' | 'serial', perWrite: number, figure: string): Contestant['run'] =>
    async () => {
      const startCpuMs = processCpuMs(mock.pid);
      const load = { mode, lanes, inFlight: perWrite, warmupSeconds, seconds };
      const { perSec, sent } = await runCheckedReference(mock, load);
      return { [figure]: perSec, ...cpuEach(`${figure}: CPU of the mock`, mock.pid, startCpuMs, sent) };
    };
  const wrk =
    (pipelined: number, figure: string): Contestant['run'] =>
    async () => {
      const options = { url: live.postUrl, body: notification, connections: lanes, seconds, pipelined };
      return { [figure]: (await runWrk(options)).perSec };
    };
  const sdkCalls =
    ({ pid, said }: typeof sdk, mode: 'pipelined' | 'serial', figure: string): Contestant['run'] =>
    async () => {
      const startCpuMs = processCpuMs(pid);
      const { perSec, sent } = await runReference({
        url: said.url,
        mode,
        lanes,
        inFlight,
        warmupSeconds,
        seconds,
      });
      return { [figure]: perSec, ...cpuEach(`${figure}: CPU of the server`, pid, startCpuMs, sent) };
    };
  const withWrk = wrkVersion() !== null;
  const contestants: Contestant[] = [
    { name: 'calls, serial', run: reference('serial', inFlight, figures.serial) },
    ...(withWrk ? [{ name: 'wrk', run: wrk(1, figures.wrkPlain) }] : []),
    { name: 'reference, plain', run: reference('plain', 1, figures.plain) },
    { name: 'calls, pipelined', run: reference('pipelined', inFlight, figures.pipelined) },
    ...(withWrk ? [{ name: 'wrk, pipelined', run: wrk(inFlight, figures.wrkPlainPipelined) }] : []),
    { name: 'reference, plain, pipelined', run: reference('plain', inFlight, figures.plainPipelined) },
    { name: 'SDK server', run: sdkCalls(sdk, 'pipelined', figures.sdk) },
    { name: 'SDK server, serial', run: sdkCalls(sdk, 'serial', figures.sdkSerial) },
    { name: 'SDK server on Express', run: sdkCalls(sdkExpress, 'pipelined', figures.sdkExpress) },
  ];
  try {
    return await measurePart(contestants, rounds, rows(withWrk));
  } finally {
    live.close();
    await Promise.all([mock.stop(), sdk.stop(), sdkExpress.stop()]);
  }
}

/** What a server's process used per call since, handshakes and warm-up included. */
function cpuEach(figure: string, pid: number, sinceMs: number | null, calls: number): Record<string, number> {
  const nowMs = processCpuMs(pid);
  return nowMs === null || sinceMs === null ? {} : { [`${figure}, µs`]: ((nowMs - sinceMs) * 1000) / calls };
}

const figures = {
  pipelined: 'calls/s, pipelined',
  serial: 'calls/s, serial',
  wrkPlain: 'wrk: plain POSTs/s',
  wrkPlainPipelined: 'wrk: plain POSTs/s, 4 per write',
  plain: 'reference: plain POSTs/s',
  plainPipelined: 'reference: plain POSTs/s, 4 per write',
  sdk: 'SDK server: calls/s, pipelined',
  sdkSerial: 'SDK server: calls/s, serial',
  sdkExpress: 'SDK server on Express: calls/s, pipelined',
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
    over('the same, one request per connection', figures.serial, figures.sdkSerial),
    over(
      'calls/s ÷ those of such a server on Express, as in the SDK’s examples',
      figures.pipelined,
      figures.sdkExpress,
    ),
    over(
      'CPU per call of the server on the official SDK ÷ of the mock',
      `${figures.sdk}: CPU of the server, µs`,
      `${figures.pipelined}: CPU of the mock, µs`,
    ),
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
