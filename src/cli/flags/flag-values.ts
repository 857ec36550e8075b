import { dialects, postModes, protocols, transports } from '../../scenario/schema.js';
import { comparisonKinds } from '../reports/comparison-kinds.js';
import { runReportKinds } from '../reports/run-reports.js';

/** The words that a flag takes, where there are only so many; what is to follow them ends with `=`. */
export const flagValues: Readonly<Record<string, readonly string[]>> = {
  transport: transports,
  protocol: protocols,
  dialect: dialects,
  posts: postModes,
  report: runReportKinds.map((kind) => `${kind}=`),
  'comparison-report': comparisonKinds.map((kind) => `${kind}=`),
  engine: ['uws', 'node'],
};
