import type { ShardPhase } from '../load/shard-report.js';
import type { CpuShares } from '../machine/machine-cpu.js';
import type { PhaseGenerator } from '../result/result.js';

/** How the workers fared in a phase, all together; each one's pauses count for as much as it made of the calls. */
export function phaseGenerator(parts: readonly ShardPhase[], cpu: CpuShares, cores: number): PhaseGenerator {
  const weights = parts.map(({ okWithin }) => sumOf(okWithin));
  const total = sumOf(weights);
  const weighted = (pick: (health: ShardPhase['health']) => number): number =>
    sumOf(
      parts.map(({ health }, at) => pick(health) * (total > 0 ? weights[at]! / total : 1 / parts.length)),
    );
  const known = parts.every(({ health }) => health.cpuNs !== null);
  return {
    loopUtilisation: parts.map(({ health }) => (health.elapsedNs > 0 ? health.busyNs / health.elapsedNs : 0)),
    longestTurnMs: Math.max(0, ...parts.map(({ health }) => health.longestTurnNs)) / 1e6,
    heldUpShare: weighted(({ heldUpNs, elapsedNs }) => (elapsedNs > 0 ? heldUpNs / elapsedNs : 0)),
    pausedShare: cpu.stolenShare ?? 0,
    stolenCpuShare: cpu.stolenShare,
    ownCpuShare: known
      ? sumOf(parts.map(({ health }) => health.cpuNs! / Math.max(1, health.elapsedNs))) / cores
      : null,
    othersCpuShare: cpu.othersShare,
    targetCpuShare: cpu.targetShare,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
