import { compareRuns } from '../../src/compare/compare-runs.js';
import { gateOrder, type OverallGate as Gate } from '../../src/compare/gates.js';
import type { Verdict } from '../../src/compare/verdict.js';
import type { RunResult } from '../../src/result/result.js';
import { Deck } from './deck.js';
import type { Pool } from './pool.js';

/** One comparison of runs drawn from the pool. */
export interface Trial {
  /** Places in the pool of their side. */
  readonly base: readonly number[];
  readonly head: readonly number[];
  readonly of: 'A/A' | 'B/B' | 'A/B';
  readonly outcome: string;
  /** p50 of head over base, with its interval. */
  readonly effect: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly verdicts: Readonly<Partial<Record<Gate, Verdict>>>;
  /** Regression of p50, by a gate that decides: what fails a build. */
  readonly found: boolean;
}

/** Comparisons between equal servers, half of them among the runs of A and half among those of B. */
export function equalTrials(pool: Pool, count: number, runsASide: number, random: () => number): Trial[] {
  const decks = {
    A: new Deck([...pool.A.keys()], random),
    B: new Deck([...pool.B.keys()], random),
  };
  return Array.from({ length: count }, (_, at) => {
    const side = at % 2 === 0 ? 'A' : 'B';
    const hand = decks[side].deal(2 * runsASide);
    const [base, head] = [hand.slice(0, runsASide), hand.slice(runsASide)];
    return trial(pool[side], pool[side], base, head, `${side}/${side}` as Trial['of']);
  });
}

/** Comparisons of A with B, the slowed one. */
export function slowedTrials(pool: Pool, count: number, runsASide: number, random: () => number): Trial[] {
  const [a, b] = [new Deck([...pool.A.keys()], random), new Deck([...pool.B.keys()], random)];
  return Array.from({ length: count }, () =>
    trial(pool.A, pool.B, a.deal(runsASide), b.deal(runsASide), 'A/B'),
  );
}

function trial(
  bases: readonly RunResult[],
  heads: readonly RunResult[],
  base: number[],
  head: number[],
  of: Trial['of'],
): Trial {
  const { outcome, refusals, rows } = compareRuns(
    base.map((at) => bases[at]!),
    head.map((at) => heads[at]!),
  );
  if (refusals.length > 0) throw new Error(`refused: ${refusals.map(({ message }) => message).join(' ')}`);
  const p50 = rows.find(({ gate }) => gate === 'p50')!;
  const verdicts = Object.fromEntries(
    gateOrder.map((gate) => [gate, rows.find((row) => row.gate === gate)?.verdict]),
  ) as Trial['verdicts'];
  return {
    base,
    head,
    of,
    outcome,
    effect: p50.effect,
    interval: p50.interval && { low: p50.interval.low, high: p50.interval.high },
    verdicts,
    found: p50.decides && p50.verdict === 'regression',
  };
}
