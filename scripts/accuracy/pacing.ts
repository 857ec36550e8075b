import { between, type Check } from './check.js';
import { metricOf, proofRun } from './proof-run.js';
import { httpSse } from './speech.js';

/** At 1,000 calls/s the generator finds a call due less than 0.1 ms after its time, in the median. */
export async function pacing(seconds: number): Promise<Check[]> {
  const { result, counts } = await proofRun(
    httpSse,
    {
      name: 'pacing',
      sessions: 10,
      warmup: '1s',
      duration: `${seconds}s`,
      load: { model: 'rate', perSecond: 1000 },
    },
    [],
  );
  const { p50 } = metricOf(result, 'schedule.lag');
  return [between(`schedule.lag p50 (${result.environment.pacing})`, 0, 0.1e6, p50), ...counts];
}
