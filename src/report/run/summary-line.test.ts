import { expect, test } from 'vitest';
import { results } from './results.fixture.js';
import { summaryLine } from './summary-line.js';

const line = (name: string): string => summaryLine(results[name]!());

test.each(Object.keys(results))('%s is one printable line', (name) => {
  expect(line(name)).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u);
});

test('says what came of the run, how fast it was and whether the figures hold', () => {
  expect(line('happy')).toMatchInlineSnapshot(`
    "steady: done, 12,000 calls ok, none failed · 800 calls/s of 800 offered · call.response p50 5.20 ms, p90 8.72 ms, p99 15.3 ms · valid, no sign that the generator distorted the figures
    "
  `);
  expect(line('disturbed')).toMatchInlineSnapshot(`
    "steady: failed, 1 of 3 thresholds missed; 12,000 calls ok, none failed · 800 calls/s of 800 offered · call.response p50 5.25 ms, p90 9.19 ms, p99 35.3 ms~ · valid, in part: p50 and p90 hold; p99 is disturbed
    "
  `);
  expect(line('thresholdsFailed')).toMatchInlineSnapshot(`
    "steady: failed, 2 of 3 thresholds missed; 11,700 calls ok, 300 failed (2.5 %) · 780 calls/s of 800 offered · call.response with failures p50 5.26 ms, p90 9.33 ms, p99 failed · valid, no sign that the generator distorted the figures
    "
  `);
});

test('shows no time where no call was answered well', () => {
  expect(line('allFailed')).toMatchInlineSnapshot(`
    "steady: failed, all 12,000 calls failed · 0 calls/s of 800 offered · valid, no sign that the generator distorted the figures
    "
  `);
});
