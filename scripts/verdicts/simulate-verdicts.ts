// Run: npm run build && node dist/scripts/verdicts/simulate-verdicts.js. How often verdicts on percentiles are right, by SIMULATION. Writes results/verdicts/simulation.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/compare/seeded-random.js';
import { type SimulatedLoop, simulateLoop } from './simulate-loop.js';

const runs = 200;
const ms = 1e6;
const quiet: SimulatedLoop = {
  calls: 3000,
  perSecond: 500,
  medianNs: 5 * ms,
  sigma: 0.4,
  writeNs: 20_000,
  readNs: 15_000,
  ownPerSecond: 0,
  ownNs: 0,
  pausesPerSecond: 0,
  pauseNs: 0,
  pauseKind: 'without a core',
  wakeNs: 15_000,
  spinning: false,
};

const cases: [string, Partial<SimulatedLoop>][] = [
  ['quiet', {}],
  ['quiet, spinning', { spinning: true }],
  ['fast server (0.5 ms)', { medianNs: 0.5 * ms }],
  ['busy with its own work (80 %)', { writeNs: 0.9 * ms, readNs: 0.7 * ms }],
  ['own work of 30 ms, once a second', { ownPerSecond: 1, ownNs: 30 * ms }],
  ['own work of 100 ms, three times a second', { ownPerSecond: 3, ownNs: 100 * ms }],
  [
    'stopped for up to 100 ms, twice in ten seconds',
    { pausesPerSecond: 0.2, pauseNs: 100 * ms, pauseKind: 'stopped' },
  ],
  ['stopped for up to 300 ms, each second', { pausesPerSecond: 1, pauseNs: 300 * ms, pauseKind: 'stopped' }],
  [
    "its core another's for up to 30 ms, each second (stolen)",
    { pausesPerSecond: 1, pauseNs: 30 * ms, pauseKind: 'stolen' },
  ],
  ['without a core for up to 4 ms, 25 times a second', { pausesPerSecond: 25, pauseNs: 4 * ms }],
  ['the same, spinning', { pausesPerSecond: 25, pauseNs: 4 * ms, spinning: true }],
  ['without a core for up to 6 ms, 80 times a second', { pausesPerSecond: 80, pauseNs: 6 * ms }],
  ['the same, spinning', { pausesPerSecond: 80, pauseNs: 6 * ms, spinning: true }],
  ['woken late, by 0.6 ms on average', { wakeNs: 0.6 * ms }],
  ['woken late, by 2 ms on average', { wakeNs: 2 * ms }],
];

const percentiles = [50, 90, 99];
const rows = cases.map(([name, change], seed) => {
  const random = seededRandom(seed + 1);
  const found = Array.from({ length: runs }, () => simulateLoop({ ...quiet, ...change }, random)).flat();
  const count = (percentile: number, truly: boolean, called: boolean): number =>
    found.filter(
      (each) =>
        each.percentile === percentile && each.trulyDisturbed === truly && each.calledDisturbed === called,
    ).length;
  const cells = percentiles.flatMap((percentile) => [
    `${count(percentile, true, false) + count(percentile, true, true)}`,
    `${count(percentile, true, false)}`,
    `${count(percentile, false, true)}`,
  ]);
  return `| ${name} | ${cells.join(' | ')} |`;
});
const text = `# Verdicts on percentiles, simulated

**SIMULATION: drawn from seeded random numbers, not measured.** Made by \`scripts/verdicts/simulate-verdicts.ts\`. A generator's loop with known answers and known disturbances, ${runs} runs of ${quiet.calls} calls at ${quiet.perSecond}/s a row, judged by the functions that judge a run.

For each percentile: how often it was **truly** disturbed (off by more than 0.2 ms and 10 %), how often that was **missed** (called sound), and how often a sound one was called disturbed (**alarm**).

| case | ${percentiles.map((p) => `p${p} truly | missed | alarm`).join(' | ')} |
| :-- | ${percentiles.map(() => '--: | --: | --:').join(' | ')} |
${rows.join('\n')}
`;
console.log(text);
mkdirSync(join('results', 'verdicts'), { recursive: true });
writeFileSync(join('results', 'verdicts', 'simulation.md'), text);
