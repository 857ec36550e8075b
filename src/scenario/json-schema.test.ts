import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarioJsonSchema } from './json-schema.js';

test('the schema that editors read is up to date (if not: node scripts/scenario-schema.mjs)', () => {
  const file = new URL('../../scenarios/scenario.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(scenarioJsonSchema());
});
