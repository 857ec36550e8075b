import { describeEnvironment } from '../result/environment.js';
import type { Environment, RunResult } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';
import { printablePlan } from '../scenario/printable-plan.js';
import { packageVersion } from '../version.js';
import type { Contestant } from './load-targets.js';
import { rankContest } from './rank-contest.js';
import { roundOrder } from './round-order.js';
import { runTarget, type TargetRun, type TargetRunOptions } from './run-target.js';
import { type VersusResult, type VersusRun, versusSchema, type VersusTarget } from './versus-result.js';
import { redact, redactAll } from '../text/secrets.js';

export interface VersusOptions {
  readonly rounds: number;
  /** How often a suspect run is made again before its target is given up. */
  readonly rerun: number;
  /** The scenario as it stands, whatever single targets are asked instead. */
  readonly scenario: Plan;
  /** A run of a target begins; what is returned watches it. */
  onRun?(contestant: Contestant, round: number): TargetRunOptions['watcher'];
  onRunEnd?(contestant: Contestant, done: TargetRun): void;
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

/** Runs all targets in interleaved rounds, one at a time, each started anew for its run, and ranks them. */
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
    scenario: printablePlan(scenario, 0),
    environment: environmentOf(records, scenario),
    ...rankContest(targets, rounds, scenario),
    targets,
  };
}

async function takeTurn(record: Standing, round: number, options: VersusOptions): Promise<void> {
  const { contestant } = record;
  if (record.neverReady) return options.onSkipped?.(contestant, round);
  for (let triesLeft = options.rerun; ; triesLeft--) {
    const watcher = options.onRun?.(contestant, round);
    const done = await runTarget(contestant, {
      round,
      interrupted: options.interrupted,
      ...(watcher === undefined ? {} : { watcher }),
    });
    record.runs.push(done.run);
    record.result ??= done.result;
    record.neverReady = done.neverReady;
    options.onRunEnd?.(contestant, done);
    if (done.run.state !== 'suspect' || triesLeft === 0 || options.interrupted()) return;
  }
}

function targetOf({ contestant, runs, result }: Standing): VersusTarget {
  const { name, about, command, url, askedInstead } = contestant;
  return {
    name,
    about,
    server: result?.target.server ?? null,
    dialect: result?.target.dialect ?? null,
    url: redact(url),
    command: command === null ? null : redact(command),
    askedInstead: redactAll(askedInstead),
    reason: reasonOf(runs),
    runs,
  };
}

/** One failed run is enough not to be ranked: figures of the others would be those of its good days. So is a round that nothing but suspect runs were made in. */
function reasonOf(runs: readonly VersusRun[]): string | null {
  const failed = runs.filter(({ state }) => state === 'failed');
  const [first] = failed;
  if (first !== undefined) {
    const rounds =
      failed.length === 1 ? `round ${first.round}` : `rounds ${failed.map(({ round }) => round).join(', ')}`;
    return `${rounds}: ${first.reason}`;
  }
  const suspect = runs.find(
    ({ round, state }) =>
      state === 'suspect' && !runs.some((other) => other.round === round && other.state === 'ok'),
  );
  if (suspect !== undefined) {
    const tries = runs.filter(({ round }) => round === suspect.round).length;
    const often = tries === 1 ? 'suspect' : `suspect in ${tries} tries`;
    return `round ${suspect.round}: ${often}, so that nothing can be said about this server: ${suspect.reason}`;
  }
  return runs.some(({ state }) => state === 'ok') ? null : 'no run of it was completed';
}

function environmentOf(records: readonly Standing[], scenario: Plan): Environment {
  const seen = records.find(({ result }) => result !== null)?.result?.environment;
  return seen ?? describeEnvironment({ workers: scenario.workers, pacing: 'timer', tags: scenario.tags });
}
