/** One comparison of what the tool says with what is true. */
export interface Check {
  readonly what: string;
  readonly truth: string;
  readonly measured: string;
  readonly off: string;
  readonly allowed: string;
  readonly pass: boolean;
}

/** The promise: 1 % and 0.2 ms. */
export function allowedNs(truthNs: number): number {
  return truthNs * 0.01 + 0.2e6;
}

/** A time that must be as true as promised, or within another tolerance. */
export function closeTo(
  what: string,
  truthNs: number,
  measuredNs: number,
  toleranceNs = allowedNs(truthNs),
): Check {
  return {
    what,
    truth: ms(truthNs),
    measured: ms(measuredNs),
    off: ms(measuredNs - truthNs),
    allowed: `± ${ms(toleranceNs)}`,
    pass: Math.abs(measuredNs - truthNs) <= toleranceNs,
  };
}

/** A time that must lie between two. */
export function between(what: string, fromNs: number, toNs: number, measuredNs: number): Check {
  return {
    what,
    truth: '',
    measured: ms(measuredNs),
    off: '',
    allowed: fromNs === 0 ? `≤ ${ms(toNs)}` : `${ms(fromNs)} … ${ms(toNs)}`,
    pass: measuredNs >= fromNs && measuredNs <= toNs,
  };
}

/** A count that must be equal. */
export function exactly(what: string, truth: number, measured: number): Check {
  return {
    what,
    truth: String(truth),
    measured: String(measured),
    off: String(measured - truth),
    allowed: '0',
    pass: measured === truth,
  };
}

function ms(ns: number): string {
  return `${(ns / 1e6).toFixed(3)} ms`;
}
