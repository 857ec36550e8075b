import { Failure } from '../failure.js';
import type { Verdict } from './verdict.js';

/** The metrics that can fail a build, in the order in which they are tested. */
export const gateOrder = ['errors', 'p50', 'p99', 'throughput'] as const;
export type OverallGate = (typeof gateOrder)[number];
/** A percentile of one tool, such as `search p50`: tested where it is asked for, right behind the one of all calls. */
export type ToolGate = `${string} p50` | `${string} p99`;
export type Gate = OverallGate | ToolGate;

/** The change that matters, unless the user says otherwise: a share of the calls for errors, a relative change for the rest. */
export const defaultMargins: Readonly<Record<OverallGate, number>> = {
  errors: 0.001,
  p50: 0.05,
  p99: 0.1,
  throughput: 0.05,
};

/** Latency changes below this never fail a build, unless the user says otherwise. */
export const defaultFloorNs = 100_000;

/** The tool and the percentile of a gate; null of the gates that are about all calls. */
export function toolGate(gate: Gate): { tool: string; percentile: 'p50' | 'p99' } | null {
  const [, tool, percentile] = /^(.+) (p50|p99)$/s.exec(gate) ?? [];
  return tool === undefined ? null : { tool, percentile: percentile as 'p50' | 'p99' };
}

/** Refuses gates of tools that the runs do not have. */
export function checkToolGates(gates: readonly Gate[], tools: readonly string[]): void {
  const missing = gates.find((gate) => {
    const asked = toolGate(gate);
    return asked !== null && !tools.includes(asked.tool);
  });
  if (missing === undefined) return;
  throw new Failure(
    tools.length > 1
      ? `--gates: "${missing}": there is no such tool in these runs: they have ${tools.join(', ')}.`
      : `--gates: "${missing}": these runs make one kind of call only, whose percentiles are p50 and p99.`,
  );
}

/** Gates in the order in which they are tested: each percentile of all calls, then that of tools, as they were given. */
export function inSequence(gates: readonly Gate[]): Gate[] {
  return gateOrder.flatMap((overall) => [
    ...gates.filter((gate) => gate === overall),
    ...gates.filter((gate) => toolGate(gate)?.percentile === overall),
  ]);
}

/** One gate after the sequence: its verdict, and whether the sequence got as far as to let it decide. */
export interface GateStep {
  gate: Gate;
  verdict: Verdict;
  /** False behind the gate that stopped the sequence: shown, but neither passed nor failed. */
  decides: boolean;
}

/** All gates that were asked for, in order, and what they decide together. */
export interface GateSequence {
  steps: GateStep[];
  /** The first gate without a verdict: nothing behind it decides. */
  stoppedAt: Gate | undefined;
  /** True if a gate that decides found a regression: exit code 4. */
  regression: boolean;
}

/**
 * Tests the gates in their fixed order, each at the full level, up to the first without a verdict; gates not asked for are skipped.
 *
 * "Without a verdict" means `inconclusive`, and that alone. The textbook's fixed sequence stops at the first hypothesis that is not rejected, which
 * here would be `errors` in nearly every comparison, as most changes break nothing: p50 would hardly ever be looked at. But `no change` is not a
 * missing rejection: it is a rejection of its own, of "changed by more than the margin". So each gate passes on whatever it could tell (changed,
 * changed but less than the margin, not changed), and only the one that could not tell ends the sequence: from data too noisy for
 * p50 nothing is concluded about p99. What this keeps is the false-alarm rate per gate; over all of them it can add up to their sum.
 */
export function gateSequence(verdicts: Readonly<Partial<Record<Gate, Verdict>>>): GateSequence {
  const steps: GateStep[] = [];
  let stoppedAt: Gate | undefined;
  for (const gate of inSequence(Object.keys(verdicts) as Gate[])) {
    const verdict = verdicts[gate];
    if (verdict === undefined) continue;
    steps.push({ gate, verdict, decides: stoppedAt === undefined });
    if (verdict === 'inconclusive') stoppedAt ??= gate;
  }
  return {
    steps,
    stoppedAt,
    regression: steps.some((step) => step.decides && step.verdict === 'regression'),
  };
}
