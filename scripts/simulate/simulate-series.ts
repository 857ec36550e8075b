import { blockBootstrap } from '../../src/compare/block-bootstrap.js';
import { changePoints } from '../../src/compare/change-points.js';
import type { IntervalCounts } from '../../src/compare/interval-blocks.js';
import { hodgesLehmann } from '../../src/compare/hodges-lehmann.js';
import { runsNeeded } from '../../src/compare/runs-needed.js';
import { judge, ratioMargins } from '../../src/compare/verdict.js';
import { betweenRunVariation } from '../../src/compare/variance.js';
import { drawRuns, noiseShapes, normal } from './simulate-noise.js';
import type { NoiseShape } from './simulate-noise.js';
import { percent } from './simulate-section.js';
import type { Section } from './simulate-section.js';

// Buckets 1 % wide, as a histogram of two significant digits has them.
const bucketWidth = 0.01;
const edgesOf = (index: number): [number, number] => [
  Math.exp(index * bucketWidth),
  Math.exp((index + 1) * bucketWidth),
];

/** Log-normal latencies whose level wanders from second to second with this correlation. */
function simulateRun(
  intervals: number,
  callsPerSec: number,
  correlation: number,
  shift: number,
  random: () => number,
): IntervalCounts[] {
  const wander = 0.05;
  const spread = 0.3;
  let level = wander * normal(random);
  return Array.from({ length: intervals }, () => {
    level = correlation * level + Math.sqrt(1 - correlation ** 2) * wander * normal(random);
    const counts = new Map<number, number>();
    for (let call = 0; call < callsPerSec; call++) {
      const index = Math.floor((3 + shift + level + spread * normal(random)) / bucketWidth);
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    return { indices: [...counts.keys()], counts: [...counts.values()] };
  });
}

/** How often the bootstrap's 96 % interval covers the truth, within runs and between them. */
export function bootstrapCoverage(comparisons: number, random: () => number): Section {
  const betweenSd = 0.03;
  const rows = [30, 60, 120].flatMap((intervals) =>
    [0, 0.5, 0.8].map((correlation) => {
      const covered = { p50: 0, p99: 0, blind: 0, widened: 0 };
      for (let seed = 0; seed < comparisons; seed++) {
        const [base, head] = [0, 1].map(() => simulateRun(intervals, 50, correlation, 0, random));
        const shared = { edgesOf, seed, replicates: 400 };
        const holds = (run: IntervalCounts[], percentile: number, betweenRuns?: Betweens): number => {
          const found = blockBootstrap(base!, run, { ...shared, statistic: { percentile }, betweenRuns });
          return found.kind === 'estimate' && found.interval.low <= 1 && found.interval.high >= 1 ? 1 : 0;
        };
        covered.p50 += holds(head!, 0.5);
        covered.p99 += holds(head!, 0.99);
        // Two runs with noise between them, and what ten earlier runs said about that noise.
        const other = simulateRun(
          intervals,
          50,
          correlation,
          Math.SQRT2 * betweenSd * normal(random),
          random,
        );
        const known = betweenRunVariation([drawRuns(10, 1, betweenSd, noiseShapes[0]!, random)])!;
        covered.blind += holds(other, 0.5);
        covered.widened += holds(other, 0.5, known);
      }
      return {
        intervals,
        'correlation of neighbouring seconds': correlation,
        'p50 within runs %': percent(covered.p50, comparisons),
        'p99 within runs %': percent(covered.p99, comparisons),
        'p50, runs 3 % apart, not widened %': percent(covered.blind, comparisons),
        'p50, runs 3 % apart, widened %': percent(covered.widened, comparisons),
      };
    }),
  );
  return {
    title: 'One run a side: coverage of the block bootstrap',
    note: `Share of ${comparisons} pairs a row whose 96 % interval contains the truth; 50 calls a second. Without the variation between runs the interval is blind to it, which is why it never fails a build.`,
    rows,
  };
}

type Betweens = { sdLog: number; degreesOfFreedom: number };

/** How often change points are marked where there is none, and found where there is one. */
export function changePointTable(seriesPerRow: number, random: () => number): Section {
  const cases: [name: string, levels: [number, number][], expected: number[]][] = [
    ['no change, 20 runs', [[20, 1]], []],
    ['no change, 60 runs', [[60, 1]], []],
    [
      '+10 % after 20 of 40',
      [
        [20, 1],
        [20, 1.1],
      ],
      [20],
    ],
    [
      '+10 % in the last 5 of 35',
      [
        [30, 1],
        [5, 1.1],
      ],
      [30],
    ],
    [
      '+10 % for 8 runs of 48',
      [
        [20, 1],
        [8, 1.1],
        [20, 1],
      ],
      [20, 28],
    ],
  ];
  const shapes = [noiseShapes[0]!, noiseShapes[3]!];
  const rows = cases.flatMap(([name, levels, expected]) =>
    shapes.map((shape) => {
      let [any, right] = [0, 0];
      for (let seed = 0; seed < seriesPerRow; seed++) {
        const series = levels.flatMap(([runs, level]) => drawRuns(runs, level, 0.03, shape, random));
        const found = changePoints(series, { seed });
        if (found.length > 0) any++;
        if (found.length === expected.length && found.every(({ at }, i) => Math.abs(at - expected[i]!) <= 2))
          right++;
      }
      return {
        series: name,
        'noise, c = 3 %': shape.name,
        'something marked %': percent(any, seriesPerRow),
        'all right within 2 runs %': percent(right, seriesPerRow),
      };
    }),
  );
  return {
    title: 'History: change points',
    note: `${seriesPerRow} series a row; a series without a change may be marked in at most 1 %.`,
    rows,
  };
}

/** Whether the number of runs that an inconclusive comparison asks for does settle it. */
export function runsNeededTable(comparisons: number, random: () => number): Section {
  const [shape] = noiseShapes as [NoiseShape];
  const margins = ratioMargins({ margin: 0.05, floor: 0, typical: 1, worse: 'up' });
  const rows = [1, 1.02, 1.05, 1.1].flatMap((ratio) =>
    [0.04, 0.08].map((cv) => {
      const runs = runsNeeded({ ratio, sdLog: cv, runs: 4 }, margins)!;
      let settled = 0;
      for (let i = 0; i < comparisons; i++) {
        const found = hodgesLehmann(
          drawRuns(runs, 1, cv, shape, random),
          drawRuns(runs, ratio, cv, shape, random),
        );
        if (judge({ effect: found.ratio, ...found }, margins) !== 'inconclusive') settled++;
      }
      return {
        'true change %': Math.round(100 * (ratio - 1)),
        'c %': 100 * cv,
        'runs a side it asks for': runs,
        'settled by them %': percent(settled, comparisons),
      };
    }),
  );
  return {
    title: 'Runs needed to settle it',
    note: `The estimate aims at 80 %; margin 5 %, ${comparisons} comparisons a row, normal noise.`,
    rows,
  };
}
