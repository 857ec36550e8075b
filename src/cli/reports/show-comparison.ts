import type { Comparison } from '../../compare/comparison.js';
import { comparisonJson } from '../../report/comparison/comparison-json.js';
import { junitComparison } from '../../report/comparison/comparison-junit.js';
import { markdownComparison } from '../../report/comparison/comparison-markdown.js';
import { terminalComparison } from '../../report/comparison/comparison-terminal.js';
import { comparisonAnnotations } from '../../report/formats/github.js';
import { htmlComparison } from '../../report/page/comparison/html-comparison.js';
import type { RunResult } from '../../result/result.js';
import type { Verdict } from '../../result/run-verdict.js';
import { addStepSummary, inActions, printForActions } from '../actions.js';
import { writeReportFiles, type ReportFile } from './report-files.js';
import type { ComparisonKind } from './comparison-kinds.js';

/** A comparison with the runs it was made from, which some reports draw. */
export interface ComparedRuns {
  comparison: Comparison;
  base: readonly RunResult[];
  head: readonly RunResult[];
}

/** Prints a comparison, writes the reports asked for, tells GitHub Actions where that is where we are, and returns the verdict. */
export function showComparison(
  compared: ComparedRuns,
  options: { reports: readonly ReportFile<ComparisonKind>[]; quiet: boolean; colour: boolean },
): Verdict {
  const { comparison } = compared;
  const text = terminalComparison(comparison, {
    colour: options.colour,
    width: process.stdout.columns ?? 100,
  });
  if (!options.quiet) printForActions(text);
  writeReportFiles(options.reports, {
    html: () => htmlComparison(compared),
    md: () => markdownComparison(comparison),
    junit: () => junitComparison(comparison),
    json: () => comparisonJson(comparison),
  });
  if (inActions()) {
    for (const line of comparisonAnnotations(comparison)) console.log(line);
    addStepSummary(markdownComparison(comparison));
  }
  return verdictOf(comparison);
}

function verdictOf({ outcome }: Comparison): Verdict {
  if (outcome === 'refused') return 'incomparable';
  return outcome === 'regression' ? 'regression' : 'passed';
}
