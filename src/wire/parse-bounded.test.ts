import { expect, test } from 'vitest';
import { parseBounded } from './parse-bounded.js';

test('parses what is large, but of few values', () => {
  const text = `{"text":"${'a,[{'.repeat(1e6)}"}`;
  expect(parseBounded(text)).toEqual(JSON.parse(text));
});

test.each(['{},', '0,', '[],', '"\\"",'])('refuses a million times %j without building it', (item) => {
  const text = `[${item.repeat(1e6)}0]`;
  expect(() => parseBounded(text)).toThrow('it has more than 500,000 values');
});

test('throws for what is no JSON, as JSON.parse does', () => {
  expect(() => parseBounded('{')).toThrow(SyntaxError);
});
