import { hodgesLehmann } from '../../src/compare/hodges-lehmann.js';
import { comparedMetrics } from '../../src/compare/run-figures.js';
import { seededRandom } from '../../src/compare/seeded-random.js';
import { betweenRunVariation, type BetweenRunVariation } from '../../src/compare/variance.js';
import type { RunResult } from '../../src/result/result.js';
import type { MachineInfo } from '../bench/bench-report.js';
import type { Pool } from './pool.js';
import { alarmChecks, findCheck, type PromiseCheck } from './promise.js';
import type { Setting, Side } from './setting.js';
import { equalTrials, slowedTrials, type Trial } from './trial.js';

/** What was measured of one run of the pool. */
export interface PooledRun {
  readonly startedAt: string;
  readonly p50Ns: number;
  readonly p99Ns: number;
  readonly callsPerSec: number;
  readonly failed: number;
}

/** All that came of one setting: kept as it is, and the table is made from it. */
export interface SettingOutcome {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly date: string;
  readonly machine: MachineInfo;
  readonly seconds: number;
  readonly minutes: number;
  readonly runsASide: number;
  readonly seed: number;
  readonly mockArgs: Setting['mockArgs'];
  readonly suspect: Pool['suspect'];
  readonly runs: Readonly<Record<Side, readonly PooledRun[]>>;
  /** Between runs of one server, pooled over both. */
  readonly variation: Readonly<Record<string, BetweenRunVariation | null>>;
  /** p50 of B over A, by all runs of the pool: what there was to be found. */
  readonly change: { readonly ratio: number; readonly low: number; readonly high: number };
  /** Comparisons that share no run with each other: the others are drawn from the same runs anew. */
  readonly disjoint: { readonly equal: number; readonly slowed: number };
  readonly checks: readonly PromiseCheck[];
  readonly trials: { readonly equal: readonly Trial[]; readonly slowed: readonly Trial[] };
}

/** How comparisons are drawn from a pool. */
export interface Drawing {
  readonly comparisons: number;
  readonly runsASide: number;
  readonly seed: number;
}

/** Draws the comparisons and holds them against the promise. */
export function judgePool(
  setting: Setting,
  pool: Pool,
  drawing: Drawing,
  circumstances: Pick<SettingOutcome, 'date' | 'machine' | 'seconds' | 'minutes'>,
): SettingOutcome {
  const { comparisons, runsASide, seed } = drawing;
  const random = seededRandom(seed);
  const equal = equalTrials(pool, comparisons, runsASide, random);
  const slowed = slowedTrials(pool, comparisons, runsASide, random);
  const variation = Object.fromEntries(
    comparedMetrics(pool.A[0]!)
      .filter(({ gate }) => gate !== null)
      .map(({ metric, read }) => [
        metric,
        betweenRunVariation([pool.A, pool.B].map((runs) => runs.map((run) => read(run)!.value))) ?? null,
      ]),
  );
  const p50 = (runs: readonly RunResult[]): number[] =>
    runs.map(({ metrics }) => metrics['call.response']!.p50);
  const { ratio, interval } = hodgesLehmann(p50(pool.A), p50(pool.B));
  const least = Math.min(pool.A.length, pool.B.length);
  return {
    name: setting.name,
    title: setting.title,
    about: setting.about,
    ...circumstances,
    runsASide,
    seed,
    mockArgs: setting.mockArgs,
    suspect: pool.suspect,
    runs: { A: pool.A.map(pooledRun), B: pool.B.map(pooledRun) },
    variation,
    change: { ratio, low: interval?.low ?? 0, high: interval?.high ?? Infinity },
    disjoint: {
      equal: Math.min(comparisons, 2 * Math.floor(least / (2 * runsASide))),
      slowed: Math.min(comparisons, Math.floor(least / runsASide)),
    },
    checks: [...alarmChecks(equal), findCheck(slowed, runsASide, variation['p50']?.cv ?? Infinity)],
    trials: { equal, slowed },
  };
}

function pooledRun({ startedAt, metrics, totals }: RunResult): PooledRun {
  const { p50, p99 } = metrics['call.response']!;
  return {
    startedAt,
    p50Ns: p50,
    p99Ns: p99,
    callsPerSec: totals.callsPerSec,
    failed: totals.started - totals.outcomes.ok,
  };
}
