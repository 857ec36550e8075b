import { countOutcomes, type Outcomes } from '../stats/outcomes.js';

/** Does every started call have exactly one outcome? */
export function isConserved(started: number, outcomes: Outcomes): boolean {
  return countOutcomes(outcomes) === started;
}

/**
 * Calls that count as slower than any other: all that did not end `ok`, but for those that we cut off ourselves
 * (`aborted`), about which nothing is known. A call cancelled after a time limit was that slow at the least, so it counts.
 */
export function failedCalls(outcomes: Outcomes): number {
  return countOutcomes(outcomes) - outcomes.ok - outcomes.aborted;
}

export interface OutcomeKind {
  /** `timeout`, `rpcError -32601`, `httpError 503`: the key of `examples`, too. */
  key: string;
  outcome: keyof Outcomes;
  /** The code or status, where the outcome has one. */
  code: string | null;
  count: number;
}

/** The outcomes as a flat list, `ok` and zeros included, in the order of the result file; codes sorted by count. */
export function outcomeKinds(outcomes: Outcomes): OutcomeKind[] {
  return (Object.keys(outcomes) as (keyof Outcomes)[]).flatMap((outcome): OutcomeKind[] => {
    const counted = outcomes[outcome];
    if (counted === undefined) return [];
    if (typeof counted === 'number') return [{ key: outcome, outcome, code: null, count: counted }];
    return Object.entries(counted)
      .map(([code, count]) => ({ key: `${outcome} ${code}`, outcome, code, count }))
      .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
  });
}
