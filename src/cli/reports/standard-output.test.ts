import { expect, test } from 'vitest';
import { standardOutput } from './standard-output.js';

test.each([
  [{}, [], null],
  [{ verbose: true }, [{ kind: 'html', path: 'a.html' }], null],
  [{ json: true }, [], 'json'],
  [{ summary: true, out: 'a.json' }, [], 'summary'],
  [{ out: '-' }, [], 'json'],
  [{ out: '-', json: true }, [{ kind: 'json', path: '-' }], 'json'],
  [{}, [{ kind: 'md', path: '-' }], 'md'],
] as const)('%j %j: %s', (flags, reports, kind) => {
  expect(standardOutput(flags, reports)).toBe(kind);
});

test.each([
  [{ json: true, summary: true }, [], '--json and --summary would all be written to standard output'],
  [{ json: true }, [{ kind: 'md', path: '-' }], '--json and --report md=- would all be written'],
  [
    { summary: true, verbose: true },
    [],
    '--verbose is about the page for people, which --summary takes the place of',
  ],
] as const)('%j %j is refused', (flags, reports, message) => {
  expect(() => standardOutput(flags, reports)).toThrow(message);
});
