import { between, type Check, closeTo, exactly } from './check.js';
import { metricOf, proofRun } from './proof-run.js';
import type { Speech } from './speech.js';
import { exactPercentile, intendedNs, respondedNs } from './truth.js';

const perSecond = 500;
const warmupSeconds = 1;
const beforeSeconds = 2;
const frozenSeconds = 1;
// A phase's calls are a whole number, 2 ms apart: that much the arithmetic itself leaves open.
const spacingNs = 1e9 / perSecond;

/**
 * The mock stands still for a second under a constant rate, and a phase of the run is that second: the calls due in it must
 * wait for what is left of it, a uniform 0 … 1 s, however few of them could be sent before it was over.
 */
export async function knownStall(inFlight: number, speech: Speech): Promise<Check[]> {
  const load = { model: 'rate', perSecond } as const;
  const { result, measured, log, counts } = await proofRun(
    speech,
    {
      name: `freeze, inFlight ${inFlight}`,
      sessions: 1,
      warmup: `${warmupSeconds}s`,
      openLoop: { inFlight },
      phases: [
        { name: 'before', duration: `${beforeSeconds}s`, load },
        { name: 'frozen', duration: `${frozenSeconds}s`, load },
        { name: 'after', duration: '3s', load },
      ],
    },
    ['--freeze', `${warmupSeconds + beforeSeconds}s,${frozenSeconds}s`],
  );
  const all = respondedNs(log.calls, perSecond).slice(log.calls.length - measured.length);
  const first = beforeSeconds * perSecond;
  const frozen = all.slice(first, first + frozenSeconds * perSecond);
  const phase = result.phases[1]!;
  const response = metricOf(phase, 'call.response');
  const service = metricOf(phase, 'call.service');
  // By the log the freeze may end some milliseconds after the phase: all of its calls waited that much longer.
  const phaseStartNs = intendedNs(log.calls, perSecond)[log.calls.length - measured.length + first]!;
  const excessNs = (log.freezes[0]?.toNs ?? NaN) - phaseStartNs - frozenSeconds * 1e9;
  const uniform = (name: 'p95' | 'p99', share: number): Check => {
    const truthNs = share * frozenSeconds * 1e9 + excessNs;
    return closeTo(
      `call.response ${name} against a uniform wait for the freeze's end`,
      truthNs,
      response[name],
      truthNs * 0.01 + 0.2e6 + spacingNs,
    );
  };
  return [
    exactly('freezes', 1, log.freezes.length),
    exactly('calls due in the freeze', frozenSeconds * perSecond, response.count),
    uniform('p95', 0.95),
    uniform('p99', 0.99),
    ...([50, 90, 95, 99] as const).map((at) =>
      closeTo(`call.response p${at} against the mock's log`, exactPercentile(frozen, at), response[`p${at}`]),
    ),
    between('call.service p95, which hides it', 0, 50e6, service.p95),
    ...counts,
  ];
}
