import { parse, join } from 'node:path';
import type { RunResult } from '../../result/result.js';
import { type ReportFile, writeReportFile } from './report-files.js';
import { loadRunReport, type RunReportKind } from './run-reports.js';

/** Writes the reports of a run, each as the file it was asked for as, and what belongs beside it as another. */
export async function writeReports(
  result: RunResult,
  files: readonly ReportFile<RunReportKind>[],
): Promise<void> {
  for (const { kind, path } of files) {
    const { text, beside } = await loadRunReport(kind);
    writeReportFile(path, text(result));
    if (beside !== undefined && path !== '-')
      writeReportFile(besides(path, kind, beside.suffix), beside.text(result));
  }
}

/** `out.csv` has its intervals in `out-intervals.csv`; a name without the ending of its kind just gets longer. */
function besides(path: string, kind: RunReportKind, suffix: string): string {
  const { dir, name, ext } = parse(path);
  return ext.toLowerCase() === `.${kind}` ? join(dir, `${name}${suffix}${ext}`) : `${path}${suffix}`;
}
