import { describe, expect, it } from 'vitest';
import { defaultFloorNs, defaultMargins } from './gates.js';
import { hodgesLehmann } from './hodges-lehmann.js';
import { seededRandom } from './seeded-random.js';
import { judge, ratioMargins } from './verdict.js';

// The same by larger numbers, for other noise and all gates: `npm run simulate`.
const comparisons = 3000;
const baseNs = 20e6;

function regressions(runs: number, cv: number, ratio: number, seed: number): number {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const side = (levelNs: number): number[] =>
    Array.from({ length: runs }, () => levelNs * Math.exp(cv * normal()));
  const margins = ratioMargins({
    margin: defaultMargins.p50,
    floor: defaultFloorNs,
    typical: baseNs,
    worse: 'up',
  });
  let found = 0;
  for (let i = 0; i < comparisons; i++) {
    const estimate = hodgesLehmann(side(baseNs), side(ratio * baseNs));
    if (judge({ effect: estimate.ratio, ...estimate }, margins) === 'regression') found++;
  }
  return found;
}

describe('the promise, simulated (seeded)', () => {
  it.each([
    [5, 0.025],
    [8, 0.04],
    [10, 0.05],
  ])('%i runs a side at a variation of %d find +10 % in 95 % of all cases', (runs, cv) => {
    expect(regressions(runs, cv, 1.1, runs)).toBeGreaterThanOrEqual(0.95 * comparisons);
  });

  it.each([
    [4, 0.025],
    [5, 0.025],
    [5, 0.2],
    [8, 0.04],
    [8, 0.2],
    [10, 0.05],
  ])('%i runs a side at a variation of %d raise at most 2 % false alarms', (runs, cv) => {
    // What chance adds to a true 2 % in one case of a thousand: 3 standard errors.
    const chance = 3 * Math.sqrt((0.02 * 0.98) / comparisons);
    expect(regressions(runs, cv, 1, runs)).toBeLessThanOrEqual((0.02 + chance) * comparisons);
  });
});
