import { describeEnvironment } from '../result/environment.js';
import type { Environment, RunResult } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';
import { printablePlan } from '../scenario/printable-plan.js';
import { packageVersion } from '../version.js';
import type { Contestant } from './load-targets.js';
import { rankTargets } from './rank-targets.js';
import { roundOrder } from './round-order.js';
import { runTarget, type Turn, type TurnOptions } from './run-target.js';
import {
  type Ranking,
  type VersusMetric,
  versusMetrics,
  type VersusResult,
  type VersusRun,
  versusSchema,
  type VersusTarget,
} from './versus-result.js';

export interface VersusOptions {
  readonly rounds: number;
  /** The scenario as it stands, whatever single targets are asked instead. */
  readonly scenario: Plan;
  /** A target's turn begins; what is returned watches its run. */
  onTurn?(contestant: Contestant, round: number): TurnOptions['watcher'];
  onTurnEnd?(contestant: Contestant, turn: Turn): void;
  /** A target is left out of a round, since it never became ready. */
  onSkipped?(contestant: Contestant, round: number): void;
  interrupted(): boolean;
}

interface Standing {
  readonly contestant: Contestant;
  readonly runs: VersusRun[];
  result: RunResult | null;
  neverReady: boolean;
}

/** Runs all targets in interleaved rounds, one at a time, each started anew for its turn, and ranks them. */
export async function runVersus(
  contestants: readonly Contestant[],
  options: VersusOptions,
): Promise<VersusResult> {
  const { rounds, scenario } = options;
  const startedAt = new Date();
  const records = contestants.map((contestant): Standing => ({
    contestant,
    runs: [],
    result: null,
    neverReady: false,
  }));
  const order = roundOrder(contestants.length, rounds);
  for (const [at, row] of order.entries()) {
    for (const index of row) {
      if (options.interrupted()) break;
      await takeTurn(records[index]!, at + 1, options);
    }
  }
  const targets = records.map(targetOf);
  return {
    schema: versusSchema,
    tool: { name: 'mcp-bench', version: packageVersion() },
    name: scenario.name,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    ended: options.interrupted() ? 'interrupted' : 'complete',
    rounds,
    order: order.map((row) => row.map((index) => contestants[index]!.name)),
    scenario: printablePlan(scenario),
    environment: environmentOf(records, scenario),
    rankings: rankings(targets, scenario),
    targets,
  };
}

async function takeTurn(record: Standing, round: number, options: VersusOptions): Promise<void> {
  const { contestant } = record;
  if (record.neverReady) return options.onSkipped?.(contestant, round);
  const watcher = options.onTurn?.(contestant, round);
  const turn = await runTarget(contestant, {
    round,
    interrupted: options.interrupted,
    ...(watcher === undefined ? {} : { watcher }),
  });
  record.runs.push(turn.run);
  record.result ??= turn.result;
  record.neverReady = turn.neverReady;
  options.onTurnEnd?.(contestant, turn);
}

function targetOf({ contestant, runs, result }: Standing): VersusTarget {
  const { name, about, command, url, plan, askedInstead } = contestant;
  return {
    name,
    about,
    server: result?.target.server ?? null,
    dialect: result?.target.dialect ?? null,
    url: printablePlan({ ...plan, target: { ...plan.target, url } }).target.url,
    command,
    askedInstead,
    reason: reasonOf(runs),
    runs,
  };
}

/** One failed run is enough not to be ranked: figures of the others would be those of its good days. */
function reasonOf(runs: readonly VersusRun[]): string | null {
  const failed = runs.filter(({ state }) => state === 'failed');
  const [first] = failed;
  if (first === undefined)
    return runs.some(({ state }) => state === 'ok') ? null : 'no run of it was completed';
  const rounds =
    failed.length === 1 ? `round ${first.round}` : `rounds ${failed.map(({ round }) => round).join(', ')}`;
  return `${rounds}: ${first.reason}`;
}

function rankings(targets: readonly VersusTarget[], scenario: Plan): Ranking[] {
  const ranked = targets.filter(({ reason }) => reason === null);
  const main = mainMetric(scenario);
  const metrics = [main, ...versusMetrics.filter((metric) => metric !== main)];
  return metrics.map((metric) =>
    rankTargets(
      metric,
      ranked.map(({ name, runs }) => ({
        target: name,
        values: runs
          .filter(({ state }) => state === 'ok')
          .map(({ figures }) => figures[metric])
          .filter((value) => value !== null),
      })),
    ),
  );
}

/** Flat out, the calls per second are the target's doing; of a pace that we set, only the times are. */
function mainMetric({ phases }: Plan): VersusMetric {
  const flatOut = phases.every(({ load }) => load.model === 'closed' || load.model === 'count');
  return flatOut ? 'callsPerSec' : 'p50';
}

function environmentOf(records: readonly Standing[], scenario: Plan): Environment {
  const seen = records.find(({ result }) => result !== null)?.result?.environment;
  return seen ?? describeEnvironment({ workers: scenario.workers, pacing: 'timer', tags: scenario.tags });
}
