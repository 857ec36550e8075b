import { mannWhitney, rankInterval } from '../../src/compare/mann-whitney.js';
import { decisionConfidence } from '../../src/compare/hodges-lehmann.js';
import { compareTable } from '../../src/compare/table-comparison.js';
import { normal, noiseShapes, type NoiseShape } from './simulate-noise.js';
import { percent, percentInterval, type Section } from './simulate-section.js';

/** What the runs of a table of targets are drawn from. */
interface TableNoise {
  readonly name: string;
  readonly shape: NoiseShape;
  /** Coefficient of variation of each target. */
  readonly cvOf: (target: number) => number;
  /** Standard deviation of what a round does to all. */
  readonly roundSd: number;
}

const alike =
  (cv: number): ((target: number) => number) =>
  () =>
    cv;
const [gaussian, laplace, student, disturbed] = noiseShapes as [
  NoiseShape,
  NoiseShape,
  NoiseShape,
  NoiseShape,
];
const noises: readonly TableNoise[] = [
  { name: 'normal, 2.5 %', shape: gaussian, cvOf: alike(0.025), roundSd: 0 },
  { name: 'normal, 2.5 %, rounds differ by 5 %', shape: gaussian, cvOf: alike(0.025), roundSd: 0.05 },
  { name: 'normal, 1 % to 12 %', shape: gaussian, cvOf: (target) => 0.01 * (target + 1), roundSd: 0.05 },
  {
    name: 'normal, 1 %, one of 10 %',
    shape: gaussian,
    cvOf: (target) => (target === 0 ? 0.1 : 0.01),
    roundSd: 0,
  },
  { name: 'Laplace, 2.5 %', shape: laplace, cvOf: alike(0.025), roundSd: 0.05 },
  { name: 'Student with 3 df, 2.5 %', shape: student, cvOf: alike(0.025), roundSd: 0.05 },
  { name: 'one run in ten disturbed, 2.5 %', shape: disturbed, cvOf: alike(0.025), roundSd: 0.05 },
];
const usual = noises[1]!;

type Pair = readonly [number, number];

function pairsOf(targets: number): Pair[] {
  return Array.from({ length: targets }, (_, b) => Array.from({ length: b }, (_, a): Pair => [a, b])).flat();
}

function drawTable(
  targets: number,
  rounds: number,
  { shape, cvOf, roundSd }: TableNoise,
  random: () => number,
): number[][] {
  const ofRound = Array.from({ length: rounds }, () => roundSd * normal(random));
  return Array.from({ length: targets }, (_, target) => {
    const sdLog = Math.sqrt(Math.log1p(cvOf(target) ** 2));
    return ofRound.map((effect) => Math.exp(effect + sdLog * shape.draw(random)));
  });
}

/** Tables of equal targets in which any pair is called different, by both tests and by single rank tests. */
export function falseTables(tables: number, random: () => number): Section {
  const rows = noises
    .map((noise) => ({ noise, targets: 12, rounds: 5 }))
    .concat(
      [
        [2, 5],
        [4, 5],
        [12, 4],
        [12, 8],
        [30, 5],
      ].map(([targets, rounds]) => ({ noise: usual, targets: targets!, rounds: rounds! })),
    );
  return {
    title: 'Tables of equal targets (`versus`)',
    note: `${tables} tables a line. False: a table in which at least one pair is called different, which none is. Beside it what single rank tests of all pairs at the level of comparisons would have claimed.`,
    rows: rows.map(({ noise, targets, rounds }) => {
      const pairs = pairsOf(targets);
      let [both, single] = [0, 0];
      for (let at = 0; at < tables; at++) {
        const values = drawTable(targets, rounds, noise, random);
        const table = compareTable(values)!;
        if (pairs.some(([a, b]) => table.differ(a, b))) both++;
        if (pairs.some(([a, b]) => ranksDiffer(values[a]!, values[b]!))) single++;
      }
      return {
        targets,
        rounds,
        noise: noise.name,
        'false tables %': percent(both, tables),
        '95 % interval': percentInterval(both, tables),
        'single tests %': percent(single, tables),
      };
    }),
  };
}

/** How often a pair that differs by so much is told apart, in tables whose neighbours in rank differ by it. */
export function truePairs(tables: number, random: () => number): Section {
  const cases: [number, number, number, number][] = [];
  for (const [cv, steps] of [
    [0.01, [0.05, 0.1]],
    [0.025, [0.1, 0.15, 0.2]],
    [0.05, [0.2, 0.3, 0.5]],
  ] as const)
    for (const step of steps) cases.push([12, 5, cv, step]);
  cases.push([4, 5, 0.025, 0.1], [12, 8, 0.025, 0.1]);
  return {
    title: 'Tables of targets that differ (`versus`)',
    note: `${tables} tables a line, each target slower than the one before it by the step: pairs of neighbours that are told apart, and claims that put the slower first. Normal noise, rounds that differ by 5 %.`,
    rows: cases.map(([targets, rounds, cv, step]) => {
      let [found, wrong] = [0, 0];
      for (let at = 0; at < tables; at++) {
        const values = drawTable(targets, rounds, { ...usual, cvOf: alike(cv) }, random).map((row, target) =>
          row.map((value) => value * (1 + step) ** target),
        );
        const table = compareTable(values)!;
        for (let target = 1; target < targets; target++) {
          if (!table.differ(target - 1, target)) continue;
          if (product(values[target]!) > product(values[target - 1]!)) found++;
          else wrong++;
        }
      }
      const pairs = tables * (targets - 1);
      return {
        targets,
        rounds,
        'variation %': 100 * cv,
        'step %': Math.round(100 * step),
        'found %': percent(found, pairs),
        'wrong way round': wrong,
      };
    }),
  };
}

function product(values: readonly number[]): number {
  return values.reduce((all, value) => all * value, 1);
}

function ranksDiffer(a: readonly number[], b: readonly number[]): boolean {
  const level = rankInterval(a.length, b.length, decisionConfidence);
  return level !== undefined && mannWhitney(a, b).pValue <= (1 - level.confidence) * (1 + 1e-9);
}
