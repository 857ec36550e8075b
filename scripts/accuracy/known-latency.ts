import type { RunResult } from '../../src/result/result.js';
import { between, type Check, closeTo, exactly } from './check.js';
import { metricOf, proofRun } from './proof-run.js';
import type { Speech } from './speech.js';
import { exactPercentile, respondedNs, servedNs } from './truth.js';
import { type WireCall, wireAckedNs, wireReleasedNs, wireServedNs } from './wire-truth.js';

const perSecond = 500;
// How long after its response a reply of events ends. The mock's timer fires up to about 1 ms after its time.
const releaseNs = 5e6;
const timerNs = 1.2e6;
const percentiles = [
  [50, 'p50'],
  [90, 'p90'],
  [99, 'p99'],
] as const;

/** The mock answers after a delay of a known distribution; both latencies must be what its log says that they were. */
export async function knownLatency(latency: string, seconds: number, speech: Speech): Promise<Check[]> {
  const withEvents = speech.responses === 'reply events';
  const { result, measured, log, wire, counts } = await proofRun(
    speech,
    {
      name: `latency ${latency}`,
      sessions: 10,
      warmup: '1s',
      duration: `${seconds}s`,
      load: { model: 'rate', perSecond },
    },
    ['--latency', latency, ...(withEvents ? ['--set', `streamable.releaseDelay=${releaseNs / 1e6}ms`] : [])],
  );
  const served = servedNs(measured);
  const responded = respondedNs(log.calls, perSecond).slice(log.calls.length - measured.length);
  const service = metricOf(result, 'call.service');
  const response = metricOf(result, 'call.response');
  return [
    ...(wire === null
      ? []
      : percentiles.flatMap(([at, name]) => [
          closeTo(
            `call.service ${name}, on the wire`,
            exactPercentile(wireServedNs(wire), at),
            service[name],
          ),
          closeTo(
            `call.ack ${name}, on the wire`,
            exactPercentile(wireAckedNs(wire), at),
            metricOf(result, 'call.ack')[name],
          ),
        ])),
    ...percentiles.map(([at, name]) =>
      closeTo(`call.service ${name}`, exactPercentile(served, at), service[name]),
    ),
    ...percentiles.map(([at, name]) =>
      closeTo(`call.response ${name}`, exactPercentile(responded, at), response[name]),
    ),
    ...(speech.responses === 'stream' || speech.responses === 'line'
      ? []
      : ofReplies(result, wire, withEvents)),
    ...counts,
  ];
}

/** What only Streamable HTTP has: of events what comes around them, and of JSON nothing of the kind. */
function ofReplies(result: RunResult, wire: readonly WireCall[] | null, withEvents: boolean): Check[] {
  const names = ['call.ackToEvent', 'call.firstEvent', 'call.release'] as const;
  const all = withEvents ? result.totals.outcomes.ok : 0;
  const numbers = names.map((name) => exactly(`${name}: calls`, all, result.metrics[name]?.count ?? 0));
  if (!withEvents) return numbers;
  const times = wire === null ? [] : names.flatMap((name) => onTheWire(name, wire, result));
  const release = metricOf(result, 'call.release').p50;
  return [...numbers, ...times, between('call.release p50', releaseNs, releaseNs + timerNs + 0.2e6, release)];
}

function onTheWire(
  name: 'call.ackToEvent' | 'call.firstEvent' | 'call.release',
  wire: readonly WireCall[],
  result: RunResult,
): Check[] {
  const truths = {
    'call.ackToEvent': () => wire.map(({ ackNs, eventNs }) => eventNs - ackNs),
    'call.firstEvent': () => wireServedNs(wire),
    'call.release': () => wireReleasedNs(wire),
  };
  const truth = truths[name]();
  const metric = metricOf(result, name);
  return percentiles.map(([at, percentile]) =>
    closeTo(`${name} ${percentile}, on the wire`, exactPercentile(truth, at), metric[percentile]),
  );
}
