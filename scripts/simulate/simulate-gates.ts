import { defaultMargins } from '../../src/compare/gates.js';
import type { OverallGate as Gate } from '../../src/compare/gates.js';
import {
  decisionConfidence,
  equivalenceConfidence,
  hodgesLehmann,
} from '../../src/compare/hodges-lehmann.js';
import { rankInterval } from '../../src/compare/mann-whitney.js';
import type { ShiftEstimate } from '../../src/compare/hodges-lehmann.js';
import { judge, ratioMargins } from '../../src/compare/verdict.js';
import type { Verdict } from '../../src/compare/verdict.js';
import { drawRuns, noiseShapes } from './simulate-noise.js';
import type { NoiseShape } from './simulate-noise.js';
import { percent, percentInterval } from './simulate-section.js';
import type { Section } from './simulate-section.js';

const msInNs = 1e6;
/** The p50 that all simulated runs have on the base side. */
export const baseNs = 20 * msInNs;

/** What the method promises: found at this number of runs a side, up to this variation between runs. */
export const promises = [
  { runs: 5, cv: 0.025 },
  { runs: 8, cv: 0.04 },
  { runs: 10, cv: 0.05 },
];

type Ratio = Exclude<Gate, 'errors'>;

/** The verdict on one metric of two sides, by the code and with the margins of a real comparison. */
export function verdictOn(gate: Ratio, base: number[], head: number[], confidence?: Confidence): Verdict {
  return verdictFrom(gate, hodgesLehmann(base, head, confidence));
}

function verdictFrom(gate: Ratio, found: ShiftEstimate): Verdict {
  const worse = gate === 'throughput' ? 'down' : 'up';
  return judge(
    { effect: found.ratio, ...found },
    ratioMargins({ margin: defaultMargins[gate], floor: 0, typical: baseNs, worse }),
  );
}

interface Confidence {
  decision: number;
  equivalence: number;
}

/** Exact, not simulated: what the ranks leave on one side, which no noise of whatever shape or size can exceed. */
export function exactBounds(): Section {
  const rows = [4, 5, 6, 7, 8, 9, 10, 12, 15, 20].map((runs) => {
    const [decides, equivalent] = [decisionConfidence, equivalenceConfidence].map((confidence) =>
      rankInterval(runs, runs, confidence)!,
    );
    const at95 = rankInterval(runs, runs, 0.95)!;
    return {
      'runs a side': runs,
      rank: `${decides!.rank} of ${runs * runs}`,
      'confidence %': percent(decides!.confidence, 1),
      'false alarms at most %': percent((1 - decides!.confidence) / 2, 1),
      'at 95 % it would be': percent((1 - at95.confidence) / 2, 1),
      'rank of the 90 % interval': equivalent!.rank,
      'its confidence %': percent(equivalent!.confidence, 1),
    };
  });
  return {
    title: 'False alarms: the exact bound (not simulated)',
    note: 'Chance that the deciding interval lies wholly on the slower side when nothing changed. It holds for every distribution of the noise and every variation between runs; that the effect must also reach the margin can only lower it.',
    rows,
  };
}

/** A/A: how often p50 and p99 are called a regression when nothing changed. */
export function falseAlarms(comparisons: number, random: () => number): Section {
  const gates = ['p50', 'p99'] as const;
  const rows = [4, 5, 6, 8, 10].flatMap((runs) =>
    [0.01, 0.025, 0.05, 0.1, 0.2].flatMap((cv) => {
      const cells = gates.map((gate): Record<string, number | string> => ({
        'runs a side': runs,
        'c %': 100 * cv,
        gate,
      }));
      for (const shape of noiseShapes) {
        const alarms = [0, 0];
        for (let i = 0; i < comparisons; i++) {
          const base = drawRuns(runs, baseNs, cv, shape, random);
          const found = hodgesLehmann(base, drawRuns(runs, baseNs, cv, shape, random));
          gates.forEach((gate, at) => {
            if (verdictFrom(gate, found) === 'regression') alarms[at]!++;
          });
        }
        cells.forEach((cell, at) => {
          cell[`${shape.name} %`] = percent(alarms[at]!, comparisons);
        });
      }
      return cells;
    }),
  );
  return {
    title: 'A/A: false alarms of the latency gates',
    note: `Regressions found between equal sides, in % of ${comparisons} comparisons a cell; promised: at most 2. Throughput has the margin of p50 and, by symmetry, its rate.`,
    rows,
  };
}

/** Power: how often a true +10 % of p50 is called a regression, where it is promised. */
export function promisedPower(comparisons: number, random: () => number): Section {
  const rows = promises.flatMap(({ runs, cv }) =>
    noiseShapes.map((shape) => {
      let found = 0;
      for (let i = 0; i < comparisons; i++) {
        const base = drawRuns(runs, baseNs, cv, shape, random);
        const head = drawRuns(runs, 1.1 * baseNs, cv, shape, random);
        if (verdictOn('p50', base, head) === 'regression') found++;
      }
      return {
        'runs a side': runs,
        'c %': 100 * cv,
        noise: shape.name,
        'found %': percent(found, comparisons),
        '95 % interval': percentInterval(found, comparisons),
        'promise of 95 %': found >= 0.95 * comparisons ? 'holds' : 'BROKEN',
      };
    }),
  );
  return {
    title: 'Power: a true +10 % of p50, where it is promised',
    note: `${comparisons} comparisons a row. All noise is scaled to the same variation c between runs.`,
    rows,
  };
}

/** Power beyond the promise: what other variations allow. */
export function powerCurve(comparisons: number, random: () => number): Section {
  const [shape] = noiseShapes as [NoiseShape];
  const rows = [4, 5, 6, 8, 10, 15].map((runs) => {
    const row: Record<string, number> = { 'runs a side': runs };
    for (const cv of [0.01, 0.025, 0.04, 0.05, 0.075, 0.1]) {
      let found = 0;
      for (let i = 0; i < comparisons; i++) {
        const base = drawRuns(runs, baseNs, cv, shape, random);
        if (verdictOn('p50', base, drawRuns(runs, 1.1 * baseNs, cv, shape, random)) === 'regression') found++;
      }
      row[`c = ${100 * cv} %`] = percent(found, comparisons);
    }
    return row;
  });
  return {
    title: 'Power: a true +10 % of p50 at other variations',
    note: `Found, in % of ${comparisons} comparisons a cell; normal noise.`,
    rows,
  };
}
