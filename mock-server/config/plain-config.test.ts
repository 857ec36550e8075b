import { expect, test } from 'vitest';
import { Failure } from '../../src/failure.js';
import { loadConfig, parseSetting } from './load-config.js';
import type { Override } from './load-config.js';
import type { MockConfig } from './config.js';
import { faultNames } from '../stats.js';
import { plainConfigOf } from './plain-config.js';

// As the command reads these flags where there is more to understand.
function wholeConfigOf(seed: string | undefined, latency: string | undefined, fault: string[]): MockConfig {
  const given: Override[] = [];
  if (seed !== undefined) given.push({ path: ['seed'], value: Number(seed), flag: '--seed' });
  if (latency !== undefined) given.push({ path: ['latency'], value: latency, flag: '--latency' });
  for (const text of fault) {
    const { path, value } = parseSetting(text.includes('=') ? text : `${text}=100%`, '--fault');
    given.push({ path: ['faults', ...path], value: { rate: value }, flag: '--fault' });
  }
  return loadConfig(undefined, given);
}

test.each<[seed: string | undefined, latency: string | undefined, fault: string[]]>([
  [undefined, undefined, []],
  ['7', '5ms', ['lost=1%']],
  ['0', 'lognormal(20ms,0.5)', ['lost=1/100', 'duplicate=0.5', 'splitEvent']],
  ['123456789012345', '0', faultNames.map((name) => `${name}=1%`)],
  [undefined, undefined, ['lost=1%', 'lost=2%']],
])('flags %s, %s, %j mean what they mean to the schema', (seed, latency, fault) => {
  const plain = plainConfigOf({ seed, latency, fault });
  expect(plain).not.toBeNull();
  expect(plain).toEqual(wholeConfigOf(seed, latency, fault));
});

test.each<[seed: string | undefined, latency: string | undefined, fault: string[]]>([
  ['-1', undefined, []],
  ['1.5', undefined, []],
  ['many', undefined, []],
  [undefined, 'soon', []],
  [undefined, undefined, ['lots=1%']],
  [undefined, undefined, ['lost=2']],
  [undefined, undefined, ['lost=-1%']],
  [undefined, undefined, ['constructor=1%']],
])('flags %s, %s, %j are left to the schema, which refuses them', (seed, latency, fault) => {
  expect(plainConfigOf({ seed, latency, fault })).toBeNull();
  expect(() => wholeConfigOf(seed, latency, fault)).toThrow(Failure);
});

test('what has more to it is left to the schema', () => {
  expect(plainConfigOf({ seed: undefined, latency: undefined, fault: ['rpcError=1%,code=-5'] })).toBeNull();
});
