import type { StatsSnapshot } from '../../mock-server/stats.js';
import { type Check, closeTo, exactly } from './check.js';
import { metricOf, proofRun } from './proof-run.js';
import { streamable } from './speech.js';
import { exactPercentile } from './truth.js';

const marks = ['call.ackToEvent', 'call.firstEvent', 'call.release'] as const;

/** A known share of the calls is answered by events, the others by JSON: only the former have what only events have. */
export async function knownBodies(sharePercent: number, seconds: number): Promise<Check[]> {
  const { result, wire, counts } = await proofRun(
    { ...streamable('2025-11-25', 'json'), mockArgs: ['--set', `streamable.sseShare=${sharePercent}%`] },
    {
      name: `${sharePercent} % of the replies are events`,
      sessions: 10,
      duration: `${seconds}s`,
      load: { model: 'rate', perSecond: 300 },
    },
    ['--latency', '20ms'],
  );
  const { bodiesSse } = (result.target.mockStats as StatsSnapshot).streamable;
  const { replies, outcomes } = result.totals;
  // The status of a stream comes at once, that of JSON with the response: so the wire tells which was which.
  const passed = wire?.map(({ ackNs, eventNs }) => eventNs - ackNs).filter((ns) => ns > 1e6);
  return [
    exactly('replies of events', bodiesSse, replies?.events ?? 0),
    exactly('replies of JSON', outcomes.ok - bodiesSse, replies?.json ?? 0),
    ...marks.map((name) => exactly(`${name}: calls`, bodiesSse, result.metrics[name]?.count ?? 0)),
    ...(passed === undefined ? [] : [exactly('replies of events, on the wire', bodiesSse, passed.length)]),
    ...([50, 90, 99] as const).flatMap((at) =>
      passed === undefined
        ? []
        : [
            closeTo(
              `call.ackToEvent p${at}, on the wire`,
              exactPercentile(passed, at),
              metricOf(result, 'call.ackToEvent')[`p${at}`],
            ),
          ],
    ),
    ...counts,
  ];
}
