import { expect, test } from 'vitest';
import { resultText } from '../../src/result/write-result.js';
import { longRun } from './long-run.js';

test('the file of ten minutes with five tools stays under 2 MB, and says all that was drawn', () => {
  const result = longRun({ seconds: 600, tools: 5, callsPerSec: 1000, seed: 1 });
  expect(result.totals).toMatchObject({ started: 600_000, conserved: true });
  expect(result.intervals).toHaveLength(600);
  expect(Object.keys(result.metrics).filter((name) => name.startsWith('call.response{tool:'))).toHaveLength(
    5,
  );
  expect(Buffer.byteLength(resultText(result))).toBeLessThan(2_000_000);
}, 180_000);

test('a second costs as much whether it comes early or late', () => {
  const sizes = [20, 40, 60].map((seconds) =>
    Buffer.byteLength(resultText(longRun({ seconds, tools: 5, callsPerSec: 100, seed: 1 }))),
  );
  const [first, second] = [sizes[1]! - sizes[0]!, sizes[2]! - sizes[1]!];
  expect(second / first).toBeLessThan(1.1);
});
