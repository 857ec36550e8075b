import type { Comparison } from '../../src/compare/comparison.js';
import type { RunResult } from '../../src/result/result.js';

export function judge(facts: {
  exitCode: number;
  results: readonly Pick<RunResult, 'thresholds' | 'validity'>[];
  comparison: Pick<Comparison, 'outcome'> | null;
  comparable: boolean;
  failOn: readonly string[];
}): { verdict: string; failWith: number };
