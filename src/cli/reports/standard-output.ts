import { Failure } from '../../failure.js';
import type { ReportFile } from './report-files.js';
import type { RunReportKind } from './run-reports.js';

/** The flags that decide what a command writes to standard output. */
export interface OutputFlags {
  json?: boolean;
  summary?: boolean;
  verbose?: boolean;
  out?: string;
}

/** The format that standard output is to hold, for programs; null where it is the page for people. */
export function standardOutput(
  { json, summary, verbose, out }: OutputFlags,
  reports: readonly ReportFile<RunReportKind>[],
): RunReportKind | null {
  const asked: [string, RunReportKind][] = [
    ...(json ? [['--json', 'json'] satisfies [string, RunReportKind]] : []),
    ...(summary ? [['--summary', 'summary'] satisfies [string, RunReportKind]] : []),
    ...(out === '-' ? [['--out -', 'json'] satisfies [string, RunReportKind]] : []),
    ...reports
      .filter(({ path }) => path === '-')
      .map(({ kind }): [string, RunReportKind] => [`--report ${kind}=-`, kind]),
  ];
  const kinds = [...new Set(asked.map(([, kind]) => kind))];
  if (kinds.length > 1)
    throw new Failure(
      `${asked.map(([flag]) => flag).join(' and ')} would all be written to standard output: name a file for one`,
    );
  if (verbose && kinds.length > 0)
    throw new Failure(`--verbose is about the page for people, which ${asked[0]![0]} takes the place of`);
  return kinds[0] ?? null;
}
