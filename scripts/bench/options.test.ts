import { describe, expect, it } from 'vitest';
import { isWanted, readBenchOptions } from './options.js';

const defaults = { seconds: 4, rounds: 5, out: 'results/bench', only: [] };

describe('readBenchOptions', () => {
  it('takes the defaults', () => {
    expect(readBenchOptions([], defaults)).toEqual(defaults);
  });

  it('takes what it is told', () => {
    expect(
      readBenchOptions(
        ['--seconds', '0.5', '--rounds=1', '--out', '/tmp/x', '--only', 'rate,lone'],
        defaults,
      ),
    ).toEqual({ seconds: 0.5, rounds: 1, out: '/tmp/x', only: ['rate', 'lone'] });
  });

  it.each([['--seconds=0'], ['--rounds=many'], ['--speed=1'], ['rate']])('refuses %s', (argument) => {
    expect(() => readBenchOptions([argument], defaults)).toThrow();
  });
});

describe('isWanted', () => {
  it('wants everything unless told otherwise', () => {
    expect(isWanted(defaults, 'rate')).toBe(true);
    expect(isWanted({ ...defaults, only: ['lone'] }, 'rate')).toBe(false);
    expect(isWanted({ ...defaults, only: ['lone', 'rat'] }, 'rate')).toBe(true);
  });
});
