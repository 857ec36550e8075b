import { expect, test } from 'vitest';
import type { GeneratorFacts, GeneratorPhaseFacts } from './validity.js';
import { judgeValidity } from './validity.js';

const phase: GeneratorPhaseFacts = {
  name: 'main',
  loop: 'open',
  everyNs: null,
  scheduleLagP99Ns: 50e3,
  responseP50Ns: 5e6,
  responseP99Ns: 20e6,
};

const quiet: GeneratorFacts = {
  durationMs: 10_000,
  cores: 2,
  conserved: true,
  workersLost: 0,
  phases: [phase],
  loopUtilisation: [0.3, 0.4],
  longestTurnNs: 3e6,
  longestGcNs: 2e6,
  gcNs: 50e6,
  ownCpuMs: 4_000,
  othersCpuShare: 0.03,
  targetCpuShare: 0.3,
  stolenCpuShare: 0,
  targetOnThisMachine: true,
  limitsHit: [],
};

const closed = { ...phase, loop: 'closed' } as const;
const burst = { ...phase, loop: 'burst', everyNs: 1e9 } as const;

const cases: [string, Partial<GeneratorFacts>, { reasons?: string[]; warnings?: string[] }][] = [
  ['nothing wrong', {}, {}],
  ['calls unaccounted for', { conserved: false }, { reasons: ['not-conserved'] }],
  ['a worker that crashed', { workersLost: 1 }, { reasons: ['worker-crashed'] }],
  ['one worker of two busy, open loop', { loopUtilisation: [0.2, 0.95] }, { reasons: ['generator-busy'] }],
  ['just below the limit', { loopUtilisation: [0.899] }, {}],
  ['busy in bursts', { phases: [burst], loopUtilisation: [0.95] }, { reasons: ['generator-busy'] }],
  [
    'closed loop, busy, target idle',
    { phases: [closed], loopUtilisation: [0.97] },
    { reasons: ['generator-was-the-limit'] },
  ],
  ['closed loop, busy, target busy', { phases: [closed], loopUtilisation: [0.97], targetCpuShare: 0.98 }, {}],
  [
    'closed loop, busy, target unknown',
    { phases: [closed], loopUtilisation: [0.97], targetCpuShare: null },
    { warnings: ['generator-near-limit'] },
  ],
  [
    'open and closed phases, busy, target unknown',
    { phases: [phase, closed], loopUtilisation: [0.97], targetCpuShare: null },
    { warnings: ['generator-near-limit'] },
  ],
  ['lag below the floor', { phases: [{ ...phase, scheduleLagP99Ns: 1e6, responseP50Ns: 1e5 }] }, {}],
  [
    'lag above the floor',
    { phases: [{ ...phase, scheduleLagP99Ns: 1.01e6, responseP50Ns: 1e5 }] },
    { reasons: ['schedule-lag'] },
  ],
  [
    'lag within a tenth of the median',
    { phases: [{ ...phase, scheduleLagP99Ns: 9e6, responseP50Ns: 100e6 }] },
    {},
  ],
  [
    'lag over a tenth of the median',
    { phases: [{ ...phase, scheduleLagP99Ns: 11e6, responseP50Ns: 100e6 }] },
    { reasons: ['schedule-lag'] },
  ],
  [
    'lag without any answer',
    { phases: [{ ...phase, scheduleLagP99Ns: 2e6, responseP50Ns: null }] },
    { reasons: ['schedule-lag'] },
  ],
  [
    'no samples at all',
    { phases: [{ ...phase, scheduleLagP99Ns: null, responseP50Ns: null, responseP99Ns: null }] },
    {},
  ],
  ['a burst spread over a twentieth', { phases: [{ ...burst, scheduleLagP99Ns: 50e6 }] }, {}],
  [
    'a burst spread over a fifth',
    { phases: [{ ...burst, scheduleLagP99Ns: 200e6 }] },
    { reasons: ['burst-spread'] },
  ],
  [
    'each late phase is named',
    {
      phases: [
        { ...phase, scheduleLagP99Ns: 9e6 },
        { ...burst, scheduleLagP99Ns: 200e6 },
      ],
    },
    { reasons: ['schedule-lag', 'burst-spread'] },
  ],
  ['a long turn that reached the top per cent', { longestTurnNs: 150e6 }, { reasons: ['long-turn'] }],
  ['a long turn that did not', { longestTurnNs: 30e6 }, { warnings: ['long-turn'] }],
  ['a long turn below the p99', { longestTurnNs: 150e6, phases: [{ ...phase, responseP99Ns: 200e6 }] }, {}],
  [
    'collections that reached the top per cent',
    { longestGcNs: 30e6, gcNs: 120e6 },
    { reasons: ['gc-pause'] },
  ],
  ['one long collection', { longestGcNs: 30e6, gcNs: 60e6 }, { warnings: ['gc-pause'] }],
  ['others busy, cores idle', { cores: 16, othersCpuShare: 0.4 }, {}],
  ['others busy, no core idle', { othersCpuShare: 0.6 }, { reasons: ['cpu-taken'] }],
  [
    'others busy beside a server we did not start',
    { othersCpuShare: 0.75, targetCpuShare: null },
    { warnings: ['cpu-short'] },
  ],
  [
    'others busy, server elsewhere',
    { othersCpuShare: 0.75, targetCpuShare: null, targetOnThisMachine: false },
    { reasons: ['cpu-taken'] },
  ],
  ['a little stolen by the hypervisor', { stolenCpuShare: 0.009 }, {}],
  ['stolen enough for a p99', { stolenCpuShare: 0.01 }, { warnings: ['cpu-stolen'] }],
  ['much stolen by the hypervisor', { stolenCpuShare: 0.1 }, { reasons: ['cpu-stolen'] }],
  ['stolen unknown', { stolenCpuShare: null }, {}],
  ['others unknown', { othersCpuShare: null }, {}],
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
  const { reasons } = judgeValidity({ ...quiet, loopUtilisation: [0.95] });
  expect(reasons[0]?.message).toContain('95 % of the time (limit 90 %)');
  expect(reasons[0]?.message).toContain('--workers');
});
