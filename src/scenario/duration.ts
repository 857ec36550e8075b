const unitNs: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  min: 60e9,
  h: 3600e9,
};

/** What a duration looks like, for schemas of editors. */
export const durationPattern = /^(\d+(\.\d+)?(ns|us|µs|ms|s|min|m|h))+$/;

/** What to say where a duration was expected. */
export const durationExpected = 'a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h)';

/** Nanoseconds of a duration such as `250ms` or `1m30s`, rounded to whole ones; null if the text is none. */
export function parseDuration(text: string): number | null {
  if (!durationPattern.test(text)) return null;
  let ns = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)) {
    ns += Math.round(Number(amount) * unitNs[unit!]!);
  }
  return Number.isSafeInteger(ns) ? ns : null;
}

/** The same duration in the largest unit that divides it, so that `parseDuration` gives the same nanoseconds back. */
export function writtenDuration(ns: number): string {
  if (ns === 0) return '0s';
  for (const unit of ['h', 'm', 's', 'ms', 'us']) {
    const one = unitNs[unit]!;
    if (ns % one === 0) return `${ns / one}${unit}`;
  }
  return `${ns}ns`;
}
