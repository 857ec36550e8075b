/** As much of a check in the suite's `checks.json` as decides. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  description: string;
  errorMessage?: string;
}

/** The entries of one leg, each with its reason. */
type Entries = ReadonlyMap<string, string>;

export interface Verdict {
  verdict: 'passed' | 'failed' | 'left out';
  /** What failed, or why that is expected. */
  lines: string[];
}

export function readExpected(text: string): { server: Entries; client: Entries };
export function judge(
  outcome: { scenario: string; checks: readonly Check[]; complaint?: string },
  expected: Entries,
): Verdict;
export function unknownEntries(expected: Entries, scenarios: readonly string[]): string[];
