import type { Plan } from '../scenario/plan.js';
import { rankTargets, type RankOptions, type TargetValues } from './rank-targets.js';
import {
  type Ranking,
  type ToolRanking,
  type VersusMetric,
  versusMetrics,
  type VersusRun,
  type VersusTarget,
} from './versus-result.js';

/** All rankings of a contest, the one that decides first, and those by tool. Of each target only the runs that may be used. */
export function rankContest(
  targets: readonly VersusTarget[],
  rounds: number,
  scenario: Plan,
): { rankings: Ranking[]; toolRankings: ToolRanking[] } {
  const ranked = targets
    .filter(({ reason }) => reason === null)
    .map(({ name, runs }) => ({
      name,
      runs: Array.from({ length: rounds }, (_, at) =>
        runs.find(({ round, state }) => round === at + 1 && state === 'ok'),
      ),
    }));
  const valuesBy = (key: string, pick: (run: VersusRun) => number | null): TargetValues[] =>
    ranked.map(({ name, runs }) => ({
      target: name,
      rounds: runs.map((run) => (run === undefined ? null : pick(run))),
      ends: runs.map((run) => run?.disturbed[key] ?? null),
    }));
  const main = mainMetric(scenario);
  const metrics = [main, ...versusMetrics.filter((metric) => metric !== main)];
  const keptUp = new Set(
    ranked
      .filter(({ runs }) => runs.every((run) => run?.achieved ?? run === undefined))
      .map(({ name }) => name),
  );
  // All that kept up have the rate that they were offered: what is left between them is the pacer's.
  const level: RankOptions = { level: (a, b) => keptUp.has(a) && keptUp.has(b) };
  const rankings = metrics.map((metric) =>
    rankTargets(
      metric,
      valuesBy(metric, ({ figures }) => figures[metric]),
      metric === 'callsPerSec' ? level : {},
    ),
  );
  const tools = [
    ...new Set(ranked.flatMap(({ runs }) => runs.flatMap((run) => Object.keys(run?.tools ?? {})))),
  ];
  const toolMetrics = ['p50', 'p99'] as const;
  // The tables of all tools are one family: none of them makes a false claim in 95 % of all contests of equal servers.
  const confidence = 1 - 0.05 / (toolMetrics.length * tools.length);
  const toolRankings = tools.flatMap((tool) =>
    toolMetrics.map((metric) => ({
      tool,
      ...rankTargets(
        metric,
        valuesBy(`${tool} ${metric}`, ({ tools: figures }) => figures[tool]?.[metric] ?? null),
        { confidence },
      ),
    })),
  );
  return { rankings, toolRankings };
}

/** Flat out, the calls per second are the target's doing; of a pace that we set, only the times are. */
function mainMetric({ phases }: Plan): VersusMetric {
  const flatOut = phases.every(
    ({ load }) => load.model === 'count' || (load.model === 'closed' && load.thinkNs === 0),
  );
  return flatOut ? 'callsPerSec' : 'p50';
}
