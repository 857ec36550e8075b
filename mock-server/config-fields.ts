import { z } from 'zod';
import { parseBytes, parseDurationNs, parseShare } from './units.js';

/** A duration such as `5ms`, in nanoseconds. */
export const durationNs = field(
  (text) => parseDurationNs(text),
  'a duration with a unit, such as 5ms, 200us, 1.5s or 0',
);

/** A share such as `1%`, `0.01` or `1/100`, between 0 and 1. */
export const share = field((text) => parseShare(text), 'a share between 0 and 1, such as 1%, 0.01 or 1/100');

/** A size such as `4096`, `64KB` or `4MiB`, in bytes. */
export const bytes = field((text) => parseBytes(text), 'a size, such as 4096, 64KB or 4MiB');

function field(parse: (text: string) => number | undefined, expected: string) {
  return z.union([z.string(), z.number()], { error: `expected ${expected}` }).transform((value, context) => {
    const parsed = parse(String(value));
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `'${value}' is not understood; expected ${expected}` });
    return z.NEVER;
  });
}
