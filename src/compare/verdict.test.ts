import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from './hodges-lehmann.js';
import { differenceMargins, judge, ratioMargins } from './verdict.js';
import type { Evidence, RatioLimits, Verdict } from './verdict.js';

const limits: RatioLimits = { margin: 0.05, floor: 0, typical: 20, worse: 'up' };

function evidence(effect: number, low: number, high: number, low90 = low, high90 = high): Evidence {
  return {
    effect,
    interval: { low, high, confidence: 0.968 },
    equivalence: { low: low90, high: high90, confidence: 0.905 },
  };
}

describe('the verdict on a ratio', () => {
  it.each<[string, Evidence, Verdict]>([
    ['excludes no change, at least the margin', evidence(1.08, 1.03, 1.12), 'regression'],
    ['exactly the margin', evidence(1.05, 1.001, 1.12), 'regression'],
    ['excludes no change, below the margin', evidence(1.04, 1.01, 1.09), 'slower, size uncertain'],
    ['the same, though surely below it', evidence(1.02, 1.01, 1.03), 'slower, size uncertain'],
    ['downwards by the margin', evidence(1 / 1.05, 0.9, 0.99), 'improvement'],
    ['downwards below the margin', evidence(0.97, 0.95, 0.99), 'faster, size uncertain'],
    ['touches no change', evidence(1.08, 1, 1.12), 'inconclusive'],
    ['90 % within the margin', evidence(1.01, 0.94, 1.07, 0.96, 1.05), 'no change'],
    ['90 % beyond it above', evidence(1.01, 0.94, 1.07, 0.96, 1.051), 'inconclusive'],
    ['90 % beyond it below', evidence(0.99, 0.94, 1.07, 0.952, 1.02), 'inconclusive'],
    ['90 % at the lower margin, which is 1/1.05', evidence(0.99, 0.94, 1.07, 0.9524, 1.02), 'no change'],
    ['no intervals at all', { effect: 2, interval: undefined, equivalence: undefined }, 'inconclusive'],
    ['all lost to failed calls', evidence(Infinity, Infinity, Infinity), 'regression'],
  ])('%s', (_, seen, verdict) => {
    expect(judge(seen, ratioMargins(limits))).toBe(verdict);
  });

  it('turns round for throughput, where less is worse', () => {
    const margins = ratioMargins({ ...limits, worse: 'down' });
    expect(judge(evidence(0.9, 0.85, 0.97), margins)).toBe('regression');
    expect(judge(evidence(0.97, 0.95, 0.99), margins)).toBe('slower, size uncertain');
    expect(judge(evidence(1.1, 1.05, 1.2), margins)).toBe('improvement');
    expect(judge(evidence(1.02, 1.01, 1.03), margins)).toBe('faster, size uncertain');
  });

  it('blocks nobody for 80 → 90 µs, nor keeps asking about it', () => {
    const micro = ratioMargins({ margin: 0.05, floor: 100_000, typical: 80_000, worse: 'up' });
    expect(judge(evidence(1.125, 1.1, 1.15), micro)).toBe('slower, size uncertain');
    expect(judge(evidence(1.125, 0.99, 1.3), micro)).toBe('no change');
    expect(judge(evidence(2.25, 1.5, 3), micro)).toBe('regression');
    expect(judge(evidence(0.1, 0.05, 0.2), micro)).toBe('faster, size uncertain');
    const milli = ratioMargins({ margin: 0.05, floor: 100_000, typical: 20_000_000, worse: 'up' });
    expect(milli).toEqual({ none: 1, up: 1.05, down: 1 / 1.05, worse: 'up' });
    expect(ratioMargins({ ...limits, typical: 0, floor: 1 })).toMatchObject({
      up: Infinity,
      down: -Infinity,
    });
  });

  it('mirrors when the sides are swapped', () => {
    const mirrored: Record<Verdict, Verdict> = {
      regression: 'improvement',
      improvement: 'regression',
      'slower, size uncertain': 'faster, size uncertain',
      'faster, size uncertain': 'slower, size uncertain',
      'no change': 'no change',
      inconclusive: 'inconclusive',
    };
    const runs = fc.array(fc.double({ min: 18, max: 22, noNaN: true }), { minLength: 4, maxLength: 8 });
    const verdict = (base: number[], head: number[]): Verdict => {
      const found = hodgesLehmann(base, head);
      return judge({ effect: found.ratio, ...found }, ratioMargins(limits));
    };
    fc.assert(
      fc.property(runs, runs, (base, head) => {
        expect(verdict(head, base)).toBe(mirrored[verdict(base, head)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the verdict on a difference', () => {
  it('counts from zero, more being worse', () => {
    const margins = differenceMargins(0.001);
    expect(judge(evidence(0.001, 0.0001, 0.002), margins)).toBe('regression');
    expect(judge(evidence(-0.001, -0.002, -0.0001), margins)).toBe('improvement');
    expect(judge(evidence(0.0005, 0.0001, 0.001), margins)).toBe('slower, size uncertain');
    expect(judge(evidence(0, -0.0005, 0.0005), margins)).toBe('no change');
    expect(judge(evidence(0, -0.0015, 0.0005), margins)).toBe('inconclusive');
  });
});
