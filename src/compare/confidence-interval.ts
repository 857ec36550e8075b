/** A closed range with the confidence that it really has. */
export interface ConfidenceInterval {
  low: number;
  high: number;
  confidence: number;
}
