import type { RunResult } from '../../result/result.js';

/** Makes the text of a report, and that of a second file beside it where a format has two. */
interface RunReport {
  text(result: RunResult): string;
  beside?: { suffix: string; text(result: RunResult): string };
}

/** The formats a run can be written in, by the name that `--report` knows them under; the code of one is loaded when it is asked for. */
const runReports = {
  html: async () => ({ text: (await import('../../report/page/run/html-report.js')).htmlReport }),
  md: async () => ({ text: (await import('../../report/run/markdown.js')).markdownReport }),
  junit: async () => ({ text: (await import('../../report/run/junit.js')).junitReport }),
  csv: async () => {
    const { csvIntervals, csvSummary } = await import('../../report/run/csv.js');
    return { text: csvSummary, beside: { suffix: '-intervals', text: csvIntervals } };
  },
  json: async () => ({ text: (await import('../../result/write-result.js')).resultText }),
  hlog: async () => ({ text: (await import('../../report/run/hlog.js')).hlogReport }),
  prom: async () => ({ text: (await import('../../report/run/prometheus.js')).prometheusReport }),
  otlp: async () => ({ text: (await import('../../report/run/otlp.js')).otlpReport }),
  summary: async () => ({ text: (await import('../../report/run/summary-line.js')).summaryLine }),
} as const satisfies Record<string, () => Promise<RunReport>>;

export type RunReportKind = keyof typeof runReports;
export const runReportKinds = Object.keys(runReports) as RunReportKind[];

/** Loads the code of a format. */
export function loadRunReport(kind: RunReportKind): Promise<RunReport> {
  return runReports[kind]();
}
