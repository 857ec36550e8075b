import { encodeV2, decodeV2, fromHdr } from '../../../stats/hdr.js';
import { metricOf, samplePhase, sampleResult, spread } from '../../../result/result.fixture.js';
import type { Interval, Metric, RunResult } from '../../../result/result.js';

const tools = ['echo', 'search', 'read_file', 'list_issues', 'run_query'];

/** A made-up run of so many seconds with five tools and two phases, whose load, latency and errors come and go. */
export function longResult(seconds: number): RunResult {
  const base = sampleResult();
  const half = seconds * 500;
  const operations = tools.map((name) => ({ ...base.operations[0]!, name }));
  const byTool = tools.map((name, at) => [
    `call.response{tool:${name}}`,
    metricOf(spread(2000, (at + 1) * 3e6, 0.5)),
  ]);
  return {
    ...base,
    durationMs: seconds * 1000,
    operations,
    metrics: { ...base.metrics, ...Object.fromEntries(byTool) },
    phases: [
      samplePhase({ name: 'calm', durationMs: half }),
      samplePhase({ name: 'storm', startMs: half, durationMs: half }),
    ],
    intervals: longIntervals(seconds),
  };
}

function longIntervals(seconds: number): Interval[] {
  // Encoding is slow: twelve different seconds, over and over.
  const kinds = Array.from({ length: 12 }, (_, at) =>
    coarse([...spread(700 + at * 20, 5e6 * (1 + at / 4), 0.5), ...spread(30, 200e6 + at * 1e7, 0.4)]),
  );
  return Array.from({ length: seconds }, (_, at) => {
    const storm = at >= seconds / 2;
    const response = kinds[(storm ? 6 : 0) + ((at * 7) % 6)]!;
    return {
      atMs: at * 1000,
      durationMs: 1000,
      totals: {
        started: response.count + 40,
        ok: response.count,
        failed: storm && at % 9 === 0 ? 40 : 0,
        notSent: 0,
        sessionsReady: storm ? 100 - (at % 3) : 100,
        inFlight: 4 + (at % 11),
        bytesIn: 288_000,
        bytesOut: 214_000,
      },
      metrics: { 'call.response': response },
    };
  });
}

/** Intervals keep two significant digits. */
function coarse(valuesNs: readonly number[]): Metric {
  const metric = metricOf(valuesNs);
  return { ...metric, hdr: encodeV2(fromHdr(decodeV2(metric.hdr)), 2) };
}
