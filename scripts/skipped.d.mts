/** As much of vitest's JSON report as tells what was skipped. */
interface Report {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

export function skipDifferences(
  report: Report,
  list: string,
  options: { root: string; when: readonly string[] },
): string[];
