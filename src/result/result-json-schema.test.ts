import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { results } from '../report/run/results.fixture.js';
import { readResult } from './read-result.js';
import { resultFile, resultJsonSchema } from './result-json-schema.js';

test('the published schema is up to date (if not: node scripts/result-schema.mjs)', () => {
  const file = new URL('../../docs/result.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(resultJsonSchema());
});

// What the schema does not know it strips: equal means that nothing is undocumented.
test.each(Object.keys(results))('%s fits it, with all that it holds', (name) => {
  const result = JSON.parse(JSON.stringify(results[name]!())) as unknown;
  expect(resultFile.parse(result)).toEqual(result);
});

test('a real result of the first format fits it once it has been read', () => {
  const result = readResult(join(import.meta.dirname, 'result-1.fixture.json'));
  expect(resultFile.parse(result)).toEqual(result);
});

test('it refuses what is no result', () => {
  const result = results.happy!();
  expect(resultFile.safeParse({ ...result, schema: 'mcp-bench/result@1' }).success).toBe(false);
  expect(resultFile.safeParse({ ...result, thresholds: [{ pass: true }] }).success).toBe(false);
  expect(resultFile.safeParse({ ...result, totals: undefined }).success).toBe(false);
});
