import { errorRateConfidence } from './error-rate.js';
import { decisionConfidence, equivalenceConfidence } from './hodges-lehmann.js';

/** Confidence asked of intervals: of those by ranks, whose levels come in steps, and of the others, which have them exactly. */
export interface Levels {
  ranks: { decision: number; equivalence: number };
  others: { decision: number; equivalence: number };
}

/** What one look at the runs asks for. */
export const defaultLevels: Levels = {
  ranks: { decision: decisionConfidence, equivalence: equivalenceConfidence },
  others: { decision: errorRateConfidence, equivalence: equivalenceConfidence },
};
