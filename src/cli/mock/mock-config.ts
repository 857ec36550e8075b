import type { ArgumentsCamelCase } from 'yargs';
import { conformance } from '../../../mock-server/config/conformance.js';
import { Failure } from '../../failure.js';
import { loadConfig, parseSetting } from '../../../mock-server/config/load-config.js';
import type { Override } from '../../../mock-server/config/load-config.js';
import type { MockConfig } from '../../../mock-server/config/config.js';
import type { MockFlags } from './mock-flags.js';

/** The configuration that the flags of `serve-mock` ask for, checked. */
export function mockConfigOf(given: ArgumentsCamelCase<MockFlags>): MockConfig {
  return loadConfig(given.config, overridesOf(given), given.conformance ? conformance : {});
}

function overridesOf(given: ArgumentsCamelCase<MockFlags>): Override[] {
  const named: [value: string | undefined, flag: string, path: string][] = [
    [given.dialect, '--dialect', 'dialect'],
    [given.like, '--like', 'like'],
    [given.latency, '--latency', 'latency'],
    [given['keep-alive'], '--keep-alive', 'wire.keepAlive'],
    [given.ack, '--ack', 'wire.ack'],
    [given['line-ending'], '--line-ending', given.stdio ? 'stdio.lineEnding' : 'wire.lineEnding'],
  ];
  const overrides: Override[] = named
    .filter(([value]) => value !== undefined)
    .map(([value, flag, path]) => ({ path: path.split('.'), value, flag: `${flag} ${value}` }));
  if (given.seed !== undefined)
    overrides.push({
      path: ['seed'],
      value: given.seed.trim() === '' || Number.isNaN(Number(given.seed)) ? given.seed : Number(given.seed),
      flag: `--seed ${given.seed}`,
    });
  if (given['ignore-eof'])
    overrides.push({ path: ['stdio', 'stayAfterEof'], value: '10m', flag: '--ignore-eof' });
  if (given.freeze !== undefined) overrides.push(freezeOf(given.freeze));
  return [
    ...overrides,
    ...given.fault.map((text) => faultOf(text)),
    ...given.set.map((text) => parseSetting(text, '--set')),
  ];
}

function faultOf(text: string): Override {
  const [first = '', ...more] = text.split(',');
  const { path, value } = parseSetting(first.includes('=') ? first : `${first}=100%`, '--fault');
  const details = more.map((part) => parseSetting(part, '--fault'));
  const whole = Object.fromEntries(details.map((detail) => [detail.path.join('.'), detail.value]));
  return { path: ['faults', ...path], value: { rate: value, ...whole }, flag: `--fault ${text}` };
}

function freezeOf(text: string): Override {
  const [at, length, every, ...more] = text.split(',');
  if (more.length > 0) throw new Failure(`--freeze ${text}: expected at,for[,every], such as 5s,1s,30s`);
  const value = { at, for: length, ...(every === undefined ? {} : { every }) };
  return { path: ['freeze'], value, flag: `--freeze ${text}` };
}
