/** The formats a run can be written in. */
export const runReportKinds = ['html', 'md', 'junit', 'csv', 'json', 'hlog', 'prom', 'otlp'] as const;
export type RunReportKind = (typeof runReportKinds)[number];

/** The formats a comparison can be written in. */
export const comparisonKinds = ['html', 'md', 'junit', 'json'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];
