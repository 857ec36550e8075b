/** The formats a comparison can be written in. */
export const comparisonKinds = ['html', 'md', 'junit', 'json'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];
