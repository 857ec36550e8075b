// `npm run simulate`: what the comparisons promise, by SIMULATION with seeded noise. Writes results/aa/simulation.json and .md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/compare/seeded-random.js';
import { exactBounds, falseAlarms, powerCurve, promisedPower } from './simulate-gates.js';
import { toMarkdown } from './simulate-section.js';
import type { Section } from './simulate-section.js';
import { errorAlarms, repeatedLooks, sequenceAlarms } from './simulate-sequence.js';
import { bootstrapCoverage, changePointTable, runsNeededTable } from './simulate-series.js';
import { falseTables, truePairs } from './simulate-tables.js';

const label = 'SIMULATION: drawn from seeded random numbers, not measured. Real runs are in `npm run aa`.';
const folder = join('results', 'aa');

const parts: ((random: () => number) => Section)[] = [
  exactBounds,
  (random) => promisedPower(20_000, random),
  (random) => powerCurve(4000, random),
  (random) => falseAlarms(10_000, random),
  (random) => errorAlarms(10_000, random),
  (random) => sequenceAlarms(10_000, random),
  (random) => repeatedLooks(8000, random),
  (random) => runsNeededTable(2000, random),
  (random) => bootstrapCoverage(200, random),
  (random) => changePointTable(200, random),
  (random) => falseTables(4000, random),
  (random) => truePairs(400, random),
];

console.log(label);
const sections = parts.map((part, seed) => {
  const startMs = performance.now();
  // A seed of its own for each part: changing one leaves the figures of the others alone.
  const section = part(seededRandom(seed + 1));
  console.log(`\n${toMarkdown(section)}(${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
  return section;
});
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'simulation.json'), `${JSON.stringify({ label, sections }, null, 2)}\n`);
writeFileSync(
  join(folder, 'simulation.md'),
  `# Comparisons: the promises, simulated\n\n**${label}** Made by \`npm run simulate\`.\n\n${sections.map(toMarkdown).join('\n')}`,
);
console.log(`\nwrote ${join(folder, 'simulation.json')} and ${join(folder, 'simulation.md')}`);
