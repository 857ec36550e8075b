import { expect, test } from 'vitest';
import type { GeneratorFacts, GeneratorPhaseFacts, ResponseEnds } from './validity.js';
import { judgeValidity } from './validity.js';

const sound: ResponseEnds[] = [
  { title: 'p50', seen: 5e6, low: 5e6, disturbed: false, ownPart: false },
  { title: 'p90', seen: 8e6, low: 8e6, disturbed: false, ownPart: false },
  { title: 'p99', seen: 20e6, low: 20e6, disturbed: false, ownPart: false },
];

const phase: GeneratorPhaseFacts = {
  name: 'main',
  loop: 'open',
  utilisation: 0.2,
  spinning: true,
  longestTurnNs: 3e6,
  heldUpShare: 0.001,
  pausedShare: 0.001,
  ownCpuShare: 0.4,
  othersCpuShare: 0.03,
  targetCpuShare: 0.3,
  stolenCpuShare: 0,
  response: sound,
};

const quiet: GeneratorFacts = {
  cores: 2,
  conserved: true,
  workersLost: 0,
  phases: [phase],
  targetOnThisMachine: true,
  targetGuessed: false,
  limitsHit: [],
  internalErrors: 0,
};

/** From a percentile on the generator made up to half of it: by its own turns, or by pauses. */
function disturbedFrom(title: string, ownPart = true): ResponseEnds[] {
  const from = sound.findIndex((each) => each.title === title);
  return sound.map((each, at) =>
    at < from ? each : { ...each, low: each.seen / 2, disturbed: true, ownPart },
  );
}

const closed = { ...phase, loop: 'closed' } as const;
const burst = { ...phase, loop: 'burst' } as const;

/** The only phase, changed. */
function only(
  change: Partial<GeneratorPhaseFacts>,
  of: GeneratorPhaseFacts = phase,
): Partial<GeneratorFacts> {
  return { phases: [{ ...of, ...change }] };
}

const cases: [string, Partial<GeneratorFacts>, { reasons?: string[]; warnings?: string[] }][] = [
  ['nothing wrong', {}, {}],
  ['calls unaccounted for', { conserved: false }, { reasons: ['not-conserved'] }],
  ['a worker that crashed', { workersLost: 1, conserved: false }, { reasons: ['worker-crashed'] }],
  ['a bug that some bytes brought to light', { internalErrors: 2 }, { reasons: ['internal-error'] }],
  ['busy, open loop', only({ utilisation: 0.95 }), { reasons: ['generator-busy'] }],
  ['just below the limit', only({ utilisation: 0.899 }), {}],
  [
    'a full phase beside a light one, which averaged would be half full',
    {
      phases: [
        { ...phase, utilisation: 0.05 },
        { ...phase, utilisation: 0.95 },
      ],
    },
    { reasons: ['generator-busy'] },
  ],
  ['busy in bursts', only({ utilisation: 0.95 }, burst), { reasons: ['generator-busy'] }],
  [
    'closed loop, busy, target idle',
    only({ utilisation: 0.97 }, closed),
    { reasons: ['generator-was-the-limit'] },
  ],
  [
    'closed loop, busy, and whoever listens on the port of the target is idle: a proxy, maybe',
    { ...only({ utilisation: 0.97 }, closed), targetGuessed: true },
    { warnings: ['generator-near-limit'] },
  ],
  ['closed loop, busy, target busy', only({ utilisation: 0.97, targetCpuShare: 0.98 }, closed), {}],
  [
    'closed loop, busy, target unknown',
    only({ utilisation: 0.97, targetCpuShare: null }, closed),
    { warnings: ['generator-near-limit'] },
  ],
  [
    'a disturbed median, open loop',
    only({ response: disturbedFrom('p50') }),
    { reasons: ['disturbed-median'] },
  ],
  [
    'a disturbed median of bursts',
    only({ response: disturbedFrom('p50') }, burst),
    { reasons: ['disturbed-median'] },
  ],
  [
    'a disturbed median, closed loop: marked, no more',
    only({ response: disturbedFrom('p50') }, closed),
    { warnings: ['disturbed-percentiles'] },
  ],
  ['a disturbed tail', only({ response: disturbedFrom('p99') }), { warnings: ['disturbed-percentiles'] }],
  [
    'a tail disturbed by pauses',
    only({ response: disturbedFrom('p90', false) }),
    { warnings: ['disturbed-percentiles'] },
  ],
  [
    'each disturbed phase by itself',
    {
      phases: [
        { ...phase, response: disturbedFrom('p99') },
        { ...burst, response: disturbedFrom('p50') },
      ],
    },
    { reasons: ['disturbed-median'], warnings: ['disturbed-percentiles'] },
  ],
  ['no answers at all', only({ response: [] }), {}],
  ['others busy, cores idle', { ...only({ othersCpuShare: 0.4, ownCpuShare: 0.05 }), cores: 16 }, {}],
  ['others busy, no core idle', only({ othersCpuShare: 0.6 }), { warnings: ['cpu-taken'] }],
  [
    'others busy beside a server we did not start',
    only({ othersCpuShare: 0.6, targetCpuShare: null }),
    { warnings: ['cpu-short'] },
  ],
  [
    'others busy, server elsewhere',
    { ...only({ othersCpuShare: 0.6, targetCpuShare: null }), targetOnThisMachine: false },
    { warnings: ['cpu-taken'] },
  ],
  ['a little stolen by the hypervisor', only({ stolenCpuShare: 0.009 }), {}],
  ['stolen enough for a p99', only({ stolenCpuShare: 0.01 }), { warnings: ['cpu-stolen'] }],
  ['shares unknown', only({ stolenCpuShare: null, othersCpuShare: null, ownCpuShare: null }), {}],
  [
    'limits hit',
    {
      limitsHit: [
        { kind: 'descriptors', detail: '1,024 open files' },
        { kind: 'ports', detail: '28,232 ports' },
      ],
    },
    { reasons: ['descriptors-limit', 'ports-limit'] },
  ],
];

test.each(cases)('%s', (_, change, expected) => {
  const { state, reasons, warnings } = judgeValidity({ ...quiet, ...change });
  expect({ reasons: reasons.map((note) => note.code), warnings: warnings.map((note) => note.code) }).toEqual({
    reasons: expected.reasons ?? [],
    warnings: expected.warnings ?? [],
  });
  expect(state).toBe(expected.reasons ? 'suspect' : 'valid');
});

test('a reason gives the figures and what to do', () => {
  const { reasons } = judgeValidity({ ...quiet, ...only({ utilisation: 0.95 }) });
  expect(reasons[0]?.message).toContain('95 % of the time (limit 90 %)');
  expect(reasons[0]?.message).toContain('--workers');
});

test('one that is kept at its work by others is not told to take cores that are not there', () => {
  for (const [change, cause] of [
    [{ utilisation: 0.45 }, 'at work for 45 %'],
    [{ utilisation: 0.95, response: sound }, 'at work for 95 %'],
    [{ loop: 'burst' }, 'to write out the bursts'],
  ] as const) {
    const { reasons } = judgeValidity({
      ...quiet,
      ...only({ response: disturbedFrom('p50'), othersCpuShare: 0.7, ...change }),
    });
    expect(reasons[0]!.message).toMatch(new RegExp(`${cause}.*while other processes used 70 %`));
    expect(reasons[0]!.message).toMatch(/stop them/);
    expect(reasons[0]!.message).not.toMatch(/--workers/);
  }
});

test('and one beside others is, where cores are free', () => {
  const change = { utilisation: 0.95, othersCpuShare: 0.4, ownCpuShare: 0.06 };
  const { reasons } = judgeValidity({ ...quiet, cores: 16, ...only(change) });
  expect(reasons[0]!.message).toMatch(/--workers/);
});

/** What is said of a median that the generator may have made. */
function advice(change: Partial<GeneratorPhaseFacts>): string {
  return judgeValidity({ ...quiet, ...only({ response: disturbedFrom('p50'), ...change }) }).reasons[0]!
    .message;
}

test('it says which percentiles hold', () => {
  const { warnings } = judgeValidity({ ...quiet, ...only({ response: disturbedFrom('p90') }) });
  expect(warnings[0]?.message).toContain(
    'call.response p50 holds; p90 and above are disturbed: of the 8.00 ms of p90 up to 4.00 ms',
  );
});

test('advice fits the cause: only a generator with much to do is told to do less, or to take more cores', () => {
  expect(advice({ utilisation: 0.6 })).toMatch(
    /at work for 60 % of the time.*offer less, or raise --workers/,
  );
  const delayed = advice({ utilisation: 0.025, othersCpuShare: 0.7 });
  expect(delayed).toMatch(/only 2\.5 % of the time: other processes used 70 %.*stop them/);
  expect(delayed).not.toMatch(/--workers|offer less/);
  const unknown = advice({ utilisation: 0.025, othersCpuShare: 0.7, targetCpuShare: null });
  expect(unknown).toMatch(/: the server, or others beside it, used 70 %.*a machine of its own/);
  expect(unknown, 'one does not stop the server').not.toMatch(/stop them/);
  expect(advice({ utilisation: 0.025, stolenCpuShare: 0.08 })).toMatch(
    /hypervisor.*8 %.*host with cores to spare/,
  );
  expect(advice({ spinning: false })).toMatch(/paces by timers.*leave a core free/);
  expect(advice({ longestTurnNs: 90e6 })).toMatch(/single turns took up to 90\.0 ms/);
  const stopped = advice({ response: disturbedFrom('p50', false), pausedShare: 0.2 });
  expect(stopped).toMatch(/kept from running for 20 % of the time.*see what stopped it/);
  expect(stopped).not.toMatch(/--workers|offer less/);
  expect(advice({ heldUpShare: 0.12 })).toMatch(
    /only 20 % of the time: it was kept from running for 12 % of it.*see what stopped it/,
  );
});
