import { csvIntervals, csvSummary } from '../../report/run/csv.js';
import { hlogReport } from '../../report/run/hlog.js';
import { htmlReport } from '../../report/page/run/html-report.js';
import { junitReport } from '../../report/run/junit.js';
import { markdownReport } from '../../report/run/markdown.js';
import { otlpReport } from '../../report/run/otlp.js';
import { prometheusReport } from '../../report/run/prometheus.js';
import type { RunResult } from '../../result/result.js';
import { resultText } from '../../result/write-result.js';
import { writeReportFiles, type ReportFile } from './report-files.js';
import type { RunReportKind } from './report-kinds.js';

/** Writes the reports of a run; `csv` becomes two files, of which the second holds the intervals. */
export function writeReports(result: RunResult, files: readonly ReportFile<RunReportKind>[]): void {
  const all = files.flatMap((file) =>
    file.kind === 'csv' ? [file, { kind: 'csvIntervals' as const, path: besides(file.path) }] : [file],
  );
  writeReportFiles<RunReportKind | 'csvIntervals'>(all, {
    html: () => htmlReport(result),
    md: () => markdownReport(result),
    junit: () => junitReport(result),
    csv: () => csvSummary(result),
    csvIntervals: () => csvIntervals(result),
    json: () => resultText(result),
    hlog: () => hlogReport(result),
    prom: () => prometheusReport(result),
    otlp: () => otlpReport(result),
  });
}

/** `out.csv` has its intervals in `out-intervals.csv`. */
function besides(path: string): string {
  return /\.csv$/i.test(path) ? path.replace(/\.csv$/i, '-intervals$&') : `${path}-intervals`;
}
