import type { MockCounts } from '../bench/mock-under-test.js';
import { between, type Check, closeTo, exactly } from './check.js';
import { metricOf, type ProofRun, proofRun } from './proof-run.js';
import { httpSse } from './speech.js';
import { exactPercentile, servedNs } from './truth.js';

const gapNs = 5e6;
// The mock holds the 202 back with a timer of Node's, which never fires before its time but up to about 1 ms after it.
const timerNs = 1.2e6;

// No warm-up: the mock counts what it did over all calls.
/** For a known share of the calls the event comes before the 202: both signs of the delay must have their own, true figures. */
export async function knownOrder(sharePercent: number, seconds: number): Promise<Check[]> {
  const run = await proofRun(
    httpSse,
    {
      name: `event before 202: ${sharePercent} %`,
      sessions: 10,
      duration: `${seconds}s`,
      load: { model: 'rate', perSecond: 300 },
    },
    ['--latency', '20ms', '--fault', `eventBefore202=${sharePercent}%,gap=${gapNs / 1e6}ms`],
  );
  const { calls, injected } = run.result.target.mockStats as MockCounts;
  const early = injected['eventBefore202'] ?? 0;
  const usual = calls.received - early;
  return [
    exactly('events before their 202', early, countOf(run, 'call.eventToAck')),
    exactly('events after their 202', usual, countOf(run, 'call.ackToEvent')),
    ...(early > 0 ? eventToAck(run) : []),
    ...(usual > 0 ? ackToEvent(run) : []),
    ...run.counts,
  ];
}

function countOf({ result }: ProofRun, name: string): number {
  return result.metrics[name]?.count ?? 0;
}

function eventToAck({ result }: ProofRun): Check[] {
  const { p50, p90 } = metricOf(result, 'call.eventToAck');
  const mostNs = gapNs * 1.01 + timerNs + 0.2e6;
  const leastNs = gapNs * 0.99 - 0.2e6;
  return [
    between('call.eventToAck p50', leastNs, mostNs, p50),
    between('call.eventToAck p90', leastNs, mostNs, p90),
  ];
}

/**
 * The 202 leaves in the turn of the receipt, so that what the mock logged is the delay. Which calls were early makes no
 * difference to it, so all calls tell it.
 */
function ackToEvent({ result, log, wire }: ProofRun): Check[] {
  const metric = metricOf(result, 'call.ackToEvent');
  const served = servedNs(log.calls);
  const passed = wire?.map(({ ackNs, eventNs }) => eventNs - ackNs).filter((ns) => ns >= 0);
  return ([50, 90, 99] as const).flatMap((at) => [
    ...(passed
      ? [closeTo(`call.ackToEvent p${at}, on the wire`, exactPercentile(passed, at), metric[`p${at}`])]
      : []),
    closeTo(`call.ackToEvent p${at}`, exactPercentile(served, at), metric[`p${at}`]),
  ]);
}
