import { type Check, closeTo } from './check.js';
import { metricOf, proofRun } from './proof-run.js';
import { exactPercentile, respondedNs, servedNs } from './truth.js';
import { wireAckedNs, wireServedNs } from './wire-truth.js';

const perSecond = 500;
const percentiles = [
  [50, 'p50'],
  [90, 'p90'],
  [99, 'p99'],
] as const;

/** The mock answers after a delay of a known distribution; both latencies must be what its log says that they were. */
export async function knownLatency(latency: string, seconds: number): Promise<Check[]> {
  const { result, measured, log, wire, counts } = await proofRun(
    {
      name: `latency ${latency}`,
      sessions: 10,
      warmup: '1s',
      duration: `${seconds}s`,
      load: { model: 'rate', perSecond },
    },
    ['--latency', latency],
  );
  const served = servedNs(measured);
  const responded = respondedNs(log.calls, perSecond).slice(log.calls.length - measured.length);
  const service = metricOf(result, 'call.service');
  const response = metricOf(result, 'call.response');
  const ack = metricOf(result, 'call.ack');
  return [
    ...(wire === null
      ? []
      : percentiles.flatMap(([at, name]) => [
          closeTo(
            `call.service ${name}, on the wire`,
            exactPercentile(wireServedNs(wire), at),
            service[name],
          ),
          closeTo(`call.ack ${name}, on the wire`, exactPercentile(wireAckedNs(wire), at), ack[name]),
        ])),
    ...percentiles.map(([at, name]) =>
      closeTo(`call.service ${name}`, exactPercentile(served, at), service[name]),
    ),
    ...percentiles.map(([at, name]) =>
      closeTo(`call.response ${name}`, exactPercentile(responded, at), response[name]),
    ),
    ...counts,
  ];
}
