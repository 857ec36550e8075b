import { type Check, exactly } from './check.js';
import { proofRun } from './proof-run.js';
import type { Speech } from './speech.js';

/** The mock loses, duplicates, cuts and refuses calls by seed: each must be counted for what it is, exactly. */
export async function knownLosses(seconds: number, speech: Speech): Promise<Check[]> {
  // Somebody else's stream, for what goes astray, only sessions have.
  const isPiped = speech.responses === 'line';
  const strays = speech.target.protocol !== '2026-07-28' && !isPiped;
  const { result, mock, counts } = await proofRun(
    strays ? { ...speech, target: { ...speech.target, listen: speech.responses !== 'stream' } } : speech,
    {
      name: 'losses',
      sessions: 10,
      // One at a time: what ends with a stream is then the one call that the mock cut it for.
      openLoop: { inFlight: 1 },
      timeouts: { call: '1s' },
      phases: [
        { name: 'losses', duration: `${seconds}s`, load: { model: 'rate', perSecond: 200 } },
        // What is still on its way when the last call has been answered is read meanwhile.
        { name: 'settle', duration: '1500ms', load: { model: 'rate', perSecond: 2 } },
      ],
    },
    ['rpcError=2%', 'toolError=2%', 'lost=1%', 'duplicate=3%', 'cut=0.5%']
      .concat(isPiped ? [] : ['httpError=2%'])
      .concat(strays ? ['misrouted=1%'] : [])
      .flatMap((fault) => ['--fault', fault])
      // All processes do the same to their calls: with this seed each fault comes within the first 150 of them.
      .concat(isPiped ? ['--seed', '3'] : []),
  );
  const { outcomes, oddities } = result.totals;
  const { injected, calls } = mock;
  const { rpcError, toolError, httpError, lost, cut, misrouted, duplicate } = injected;
  const never = Object.entries({
    rpcError,
    toolError,
    lost,
    cut,
    duplicate,
    ...(!isPiped && { httpError }),
    ...(strays && { misrouted }),
  });
  return [
    exactly('faults that never came', 0, never.filter(([, count]) => count === 0).length),
    exactly(
      'calls ok',
      calls.received - rpcError - toolError - httpError - lost - cut - misrouted,
      outcomes.ok,
    ),
    exactly('JSON-RPC errors', rpcError, outcomes.rpcError['-32000'] ?? 0),
    exactly('tool errors', toolError, outcomes.toolError),
    exactly('POSTs refused', httpError, outcomes.httpError['503'] ?? 0),
    exactly(
      'calls without a response, of lost and misrouted ones',
      lost + misrouted,
      outcomes.acceptedNoResponse + outcomes.timeout,
    ),
    exactly('calls cut', cut, outcomes.disconnected),
    exactly('duplicates', duplicate, oddities.duplicate),
    exactly('foreign responses, of misrouted ones', misrouted, oddities.foreign),
    ...counts,
  ];
}
