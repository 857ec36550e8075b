import { z } from 'zod';
import { parseBytes, parseDurationNs, parseShare } from './units.js';

// No timer waits longer than 2³¹ − 1 ms, and no answer is larger than what `payload` gives.
const longestNs = 500 * 3600e9;
const largestBodyBytes = 256 * 1024 * 1024;
const largestTextBytes = 64 * 1024 * 1024;

/** A duration such as `5ms`, in nanoseconds. */
export const durationNs = field(
  (text) => parseDurationNs(text),
  'a duration with a unit, such as 5ms, 200us, 1.5s or 0',
).refine((ns) => ns <= longestNs, { error: 'expected a duration of at most 500h' });

/** A share such as `1%`, `0.01` or `1/100`, between 0 and 1. */
export const share = field((text) => parseShare(text), 'a share between 0 and 1, such as 1%, 0.01 or 1/100');

/** A size such as `4096`, `64KB` or `4MiB`, in bytes. */
export const bytes = field((text) => parseBytes(text), 'a size, such as 4096, 64KB or 4MiB');

/** The size of a text that the mock makes up, in bytes. */
export const textBytes = bytes.refine((size) => size <= largestTextBytes, {
  error: 'expected a size of at most 64MiB',
});

/** The largest body that is taken, in bytes: one that no string can hold would end the server. */
export const bodyBytes = bytes.refine((size) => size <= largestBodyBytes, {
  error: 'expected a size of at most 256MiB',
});

function field(parse: (text: string) => number | undefined, expected: string) {
  return z.union([z.string(), z.number()], { error: `expected ${expected}` }).transform((value, context) => {
    const parsed = parse(String(value));
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `'${value}' is not understood; expected ${expected}` });
    return z.NEVER;
  });
}
