import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchema } from './config/config.js';
import { dialectNames } from './protocol/dialects/dialect.js';
import { presetNames } from './protocol/presets.js';
import { faultNames, Stats } from './stats.js';
import { newStdioCounts } from './stdio/stdio-stats.js';
import { stdioSchema } from './stdio/stdio-options.js';
import { wireSchema } from './protocol/wire-options.js';

const text = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const command = readFileSync(new URL('../src/cli/commands/serve-mock.ts', import.meta.url), 'utf8');

// What a user can set or read stands in README.md: all of it.
test.each([
  ['wire option', Object.keys(wireSchema.shape)],
  ['option of stdio', Object.keys(stdioSchema.shape)],
  ['count of stdio', Object.keys(newStdioCounts()).map((name) => `stdio.${name}`)],
  ['fault', [...faultNames]],
  ['preset', [...presetNames]],
  ['dialect', [...dialectNames]],
])('README.md documents every %s', (_what, names) => {
  expect(names.filter((name) => !text.includes(`| \`${name}\``) && !text.includes(`\`${name}\``))).toEqual(
    [],
  );
});

test('README.md documents every key of the configuration and every flag', () => {
  expect(Object.keys(configSchema.shape).filter((key) => !text.includes(`${key}:`))).toEqual([]);
  const flags = [...command.matchAll(/\.option\('([a-z-]+)'/g)].map(([, name]) => name!);
  expect(flags.length).toBeGreaterThan(10);
  expect(flags.filter((flag) => !text.includes(`| \`--${flag}`))).toEqual([]);
});

test('README.md documents every count', () => {
  const snapshot = new Stats().snapshot({ engine: 'uws', dialect: 'classic', threads: 1, seed: 1 });
  const missing = Object.entries(snapshot).flatMap(([key, value]) => {
    if (key === 'injected') return text.includes('`injected.*`') ? [] : [key];
    if (typeof value !== 'object') return text.includes(`\`${key}\``) ? [] : [key];
    return Object.keys(value).filter(
      (inner) => !text.includes(`\`${key}.${inner}\``) && !text.includes(`\`.${inner}\``),
    );
  });
  expect(missing).toEqual([]);
});
