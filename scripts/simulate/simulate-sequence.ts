import { compareErrorRates, judgeErrorRates } from '../../src/compare/error-rate.js';
import { defaultMargins, gateSequence } from '../../src/compare/gates.js';
import { decisionConfidence, equivalenceConfidence } from '../../src/compare/hodges-lehmann.js';
import { alphaForLook } from '../../src/compare/looks.js';
import { rankInterval } from '../../src/compare/mann-whitney.js';
import type { Proportion } from '../../src/compare/newcombe.js';
import type { Verdict } from '../../src/compare/verdict.js';
import { baseNs, promises, verdictOn } from './simulate-gates.js';
import { drawRuns, noiseShapes, normal } from './simulate-noise.js';
import type { NoiseShape } from './simulate-noise.js';
import { percent } from './simulate-section.js';
import type { Section } from './simulate-section.js';

/** A/A for error rates: independent failures, failure rates that differ between runs, and rare bursts. */
export function errorAlarms(comparisons: number, random: () => number): Section {
  const calls = 5000;
  const models: [name: string, draw: () => number][] = [
    ['none', () => 0],
    ...[0.0002, 0.001, 0.01, 0.05].map((rate): [string, () => number] => [
      `${100 * rate} % of the calls, independent`,
      () => binomial(calls, rate, random),
    ]),
    ...[0.001, 0.01].map((rate): [string, () => number] => [
      `${100 * rate} % on average, rate varies by 50 % between runs`,
      () => binomial(calls, rate * Math.max(0, 1 + 0.5 * normal(random)), random),
    ]),
    ['a burst of 50 in one run of ten', () => (random() < 0.1 ? 50 : 0)],
  ];
  const rows = models.flatMap(([name, draw]) =>
    [5, 10].map((runs) => {
      const seen: Record<string, number> = {};
      for (let i = 0; i < comparisons; i++) {
        const side = (): Proportion[] =>
          Array.from({ length: runs }, () => ({ count: draw(), total: calls }));
        const verdict = judgeErrorRates(compareErrorRates(side(), side()), defaultMargins.errors);
        seen[verdict] = (seen[verdict] ?? 0) + 1;
      }
      return {
        failures: name,
        'runs a side': runs,
        'false alarms %': percent(seen.regression ?? 0, comparisons),
        'no change %': percent(seen['no change'] ?? 0, comparisons),
        'inconclusive %': percent(seen.inconclusive ?? 0, comparisons),
      };
    }),
  );
  return {
    title: 'A/A: false alarms of the error gate',
    note: `${comparisons} comparisons a row, ${calls} calls a run, margin ${100 * defaultMargins.errors} percentage points or a quarter of the failures; promised: at most 2 %.`,
    rows,
  };
}

interface Side {
  errors: Proportion[];
  p50: number[];
  p99: number[];
  throughput: number[];
}

/** All four gates in sequence on equal sides: what each adds, and what they add up to. */
export function sequenceAlarms(comparisons: number, random: () => number): Section {
  const [shape] = noiseShapes as [NoiseShape];
  const rows = [
    { runs: 5, cv: 0.01 },
    ...promises,
    { runs: 5, cv: 0.05 },
    { runs: 6, cv: 0.1 },
    { runs: 10, cv: 0.1 },
  ].map(({ runs, cv }) => {
    const alarms: Record<string, number> = {};
    let [any, stopped] = [0, 0];
    for (let i = 0; i < comparisons; i++) {
      const side = (): Side => {
        const p50 = drawRuns(runs, baseNs, cv, shape, random);
        return {
          errors: p50.map(() => ({ count: binomial(5000, 0.0002, random), total: 5000 })),
          p50,
          // A closed loop flat out: throughput is the inverse of latency, and the tail adds as much noise of its own.
          p99: drawRuns(runs, 3, cv, shape, random).map((tail, run) => tail * p50[run]!),
          throughput: p50.map((value) => 1e9 / value),
        };
      };
      const [base, head] = [side(), side()];
      const sequence = gateSequence({
        errors: judgeErrorRates(compareErrorRates(base.errors, head.errors), defaultMargins.errors),
        p50: verdictOn('p50', base.p50, head.p50),
        p99: verdictOn('p99', base.p99, head.p99),
        throughput: verdictOn('throughput', base.throughput, head.throughput),
      });
      for (const step of sequence.steps)
        if (step.decides && step.verdict === 'regression') alarms[step.gate] = (alarms[step.gate] ?? 0) + 1;
      if (sequence.regression) any++;
      if (sequence.stoppedAt !== undefined) stopped++;
    }
    const row: Record<string, number> = { 'runs a side': runs, 'c %': 100 * cv };
    for (const gate of ['errors', 'p50', 'p99', 'throughput'])
      row[`${gate} %`] = percent(alarms[gate] ?? 0, comparisons);
    return {
      ...row,
      'any gate %': percent(any, comparisons),
      'stopped by an inconclusive gate %': percent(stopped, comparisons),
    };
  });
  return {
    title: 'A/A: false alarms of the whole sequence',
    note: `${comparisons} comparisons a row, normal noise; one call in 5,000 fails; throughput is the inverse of p50, p99 has noise of its own on top.`,
    rows,
  };
}

/** `--until-conclusive`: up to three looks, five runs a side added for each. */
export function repeatedLooks(comparisons: number, random: () => number): Section {
  const [shape] = noiseShapes as [NoiseShape];
  const rows = [1, 1.05, 1.1].flatMap((ratio) =>
    [0.025, 0.05, 0.1].map((cv) => {
      const seen: Record<string, number> = {};
      let looks = 0;
      for (let i = 0; i < comparisons; i++) {
        const base = drawRuns(15, baseNs, cv, shape, random);
        const head = drawRuns(15, ratio * baseNs, cv, shape, random);
        const found = untilConclusive(base, head);
        seen[found.verdict] = (seen[found.verdict] ?? 0) + 1;
        looks += found.looks;
      }
      return {
        'true change %': Math.round(100 * (ratio - 1)),
        'c %': 100 * cv,
        'regression %': percent(seen.regression ?? 0, comparisons),
        'slower, size uncertain %': percent(seen['slower, size uncertain'] ?? 0, comparisons),
        'no change %': percent(seen['no change'] ?? 0, comparisons),
        'inconclusive %': percent(seen.inconclusive ?? 0, comparisons),
        'looks on average': Math.round((100 * looks) / comparisons) / 100,
      };
    }),
  );
  return {
    title: 'Runs added until conclusive',
    note: `p50, ${comparisons} comparisons a row, normal noise; at most three looks at 5, 10 and 15 runs a side, the error split over them.`,
    rows,
  };
}

function untilConclusive(base: number[], head: number[]): { verdict: Verdict; looks: number } {
  const spent = { decision: [] as number[], equivalence: [] as number[] };
  for (let look = 1; ; look++) {
    const runs = 5 * look;
    const next = (total: number, of: number[]): number => 1 - alphaForLook(total, 3, of);
    const confidence = {
      decision: next(1 - decisionConfidence, spent.decision),
      equivalence: next(1 - equivalenceConfidence, spent.equivalence),
    };
    const verdict = verdictOn('p50', base.slice(0, runs), head.slice(0, runs), confidence);
    if (verdict !== 'inconclusive' || look === 3) return { verdict, looks: look };
    for (const kind of ['decision', 'equivalence'] as const) {
      const used = rankInterval(runs, runs, confidence[kind]);
      spent[kind].push(used === undefined ? 0 : 1 - used.confidence);
    }
  }
}

// Sums of waiting times: as fast as the number of events, which are rare here.
function binomial(trials: number, rate: number, random: () => number): number {
  if (rate <= 0) return 0;
  const scale = Math.log1p(-Math.min(rate, 0.999));
  let count = -1;
  for (let at = 0; at <= trials; count++) at += 1 + Math.floor(Math.log(1 - random()) / scale);
  return count;
}
