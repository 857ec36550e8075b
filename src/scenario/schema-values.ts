import { z } from 'zod';
import { byteSizeExpected, byteSizePattern, parseByteSize } from './byte-size.js';
import { durationExpected, durationPattern, parseDuration } from './duration.js';
import { parseRate, rateExpected, ratePattern } from './rate.js';

// Each schema reads one file: compiling it into code of its own would cost more than it saves.
z.config({ jitless: true });

// Every message starts with "expected": what was found, and where, is added when the problem is reported.

/** A map that knows all its keys; the keys travel in the message so that a wrong one can be compared with them. */
export function section<Shape extends z.ZodRawShape>(shape: Shape, expected?: string) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? keys
        : (expected ?? `expected a map with some of the keys ${keys}`),
  });
}

/** Text that is not empty. */
export function text(what: string) {
  return z.string(`expected ${what}`).min(1, `expected ${what}`);
}

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `expected one of ${words.join(', ')}`);
}

/** A whole number within bounds. */
export function whole(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`;
  const expected = `expected a whole number of at least ${min}${upTo}`;
  return z.int(expected).min(min, expected).max(max, expected);
}

/** A number above nothing. */
export function positive() {
  return z.number('expected a number above 0').positive('expected a number above 0');
}

export function flag() {
  return z.boolean('expected true or false');
}

/** Text in a unit of ours, read into a number. */
function quantity(pattern: RegExp, read: (text: string) => number | null, expected: string) {
  return z
    .string(expected)
    .regex(pattern, expected)
    .transform((text, context) => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue(expected);
      return z.NEVER;
    });
}

/** Nanoseconds, none of them too. */
export function duration() {
  return quantity(durationPattern, parseDuration, `expected ${durationExpected}`);
}

/** Nanoseconds, at least one. */
export function positiveDuration() {
  const read = (text: string): number | null => parseDuration(text) || null;
  return quantity(durationPattern, read, `expected ${durationExpected}, above 0`);
}

/** Events per second, written as a rate. */
export function rate() {
  const read = (text: string): number | null => parseRate(text) || null;
  return quantity(ratePattern, read, `expected ${rateExpected}, above 0`);
}

/** Calls per second, written as a plain number or as a rate. */
export function callsPerSec(min: 'zero' | 'aboveZero') {
  const above = min === 'zero' ? '' : ', above 0';
  const expected = `expected calls per second such as 300, or ${rateExpected}${above}`;
  const read = (text: string): number | null => (min === 'zero' ? parseRate(text) : parseRate(text) || null);
  const number = z.number(expected);
  return z.union(
    [
      min === 'zero' ? number.min(0, expected) : number.positive(expected),
      quantity(ratePattern, read, expected),
    ],
    expected,
  );
}

/** Bytes. */
export function byteSize() {
  const expected = `expected ${byteSizeExpected}`;
  return z.union(
    [z.int(expected).min(0, expected), quantity(byteSizePattern, parseByteSize, expected)],
    expected,
  );
}

/** A share of a whole, written as a percentage. */
export function percentage() {
  const pattern = /^\d+(\.\d+)?%$/;
  const read = (text: string): number | null => {
    const share = Number(text.slice(0, -1)) / 100;
    return share <= 1 ? share : null;
  };
  return quantity(pattern, read, 'expected a percentage from 0% to 100%');
}

/** Text, or a number or truth value taken as text. */
export function looseText(what: string) {
  return z.union([z.string(), z.number(), z.boolean()], `expected ${what}`).transform(String);
}
