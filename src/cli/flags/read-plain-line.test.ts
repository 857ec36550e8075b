import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../failure.js';
import { type Command, commands } from '../commands.js';
import { answerWithYargs } from '../yargs-line.js';
import { DeclaredFlags } from './declared-flags.js';
import { type Given, readPlainLine } from './read-plain-line.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const builderOf = async (command: Command) => (await command.load(() => undefined)).builder;

/** What yargs gives a command for these words; null where it answers with help or a mistake instead. */
async function givenByYargs(command: Command, words: readonly string[]): Promise<Given | null> {
  let found: Given | null = null;
  const code = {
    builder: await builderOf(command),
    handler: (given: Given) => {
      found = given;
    },
  };
  try {
    await answerWithYargs([command.name, ...words], { command, code, words });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return found;
}

const plainLines: Record<string, string[]> = {
  run: [
    '',
    's.yaml',
    's.yaml --dry-run',
    '--target http://h/mcp --tool echo --arg a=1 --arg b=2 --calls 5 --in-flight 2',
    '--sessions 3 s.yaml --rate=5/s -q --no-color --header A:1 --header B:2 --tag a=b',
    's.yaml --sessions many --baseline a.json b.json --dryRun --rerun-disturbed 2 --max-runs=9',
    '--strict true s.yaml --quiet=false --out a --out b --seed 0x10',
  ],
  scenarios: ['', 'burst --copy', 'burst --copy my.yaml'],
  report: ['r.json'],
  compare: ['a.json b.json --against c.json d.json --margin p50=5% --margin p99=9%', 'a --check'],
  history: ['steady --last 3', '7'],
  calibrate: ['', 's.yaml'],
  'serve-mock': ['', '--port 0 --engine node --fault lost=1% --set a.b=1 --keep-alive 5s --json'],
  probe: ['http://h/sse --calls 3 --insecure'],
  init: ['http://h/sse --out -'],
  versus: ['targets.yaml s.yaml'],
  completion: ['bash'],
  ceiling: ['http://h/sse --yes'],
};
const wordsOf = (line: string): string[] => (line === '' ? [] : line.split(' '));

test.each(commands)(
  '$name: what is plainly right is read without yargs, and as yargs reads it',
  async (command) => {
    expect(plainLines[command.name]).not.toBe(undefined);
    for (const words of plainLines[command.name]!.map(wordsOf)) {
      const read = readPlainLine(command.usage, await builderOf(command), words);
      expect(read, words.join(' ')).not.toBe(null);
      expect(read).toEqual(await givenByYargs(command, words));
    }
  },
);

test.each([
  'a.yaml b.yaml',
  's.yaml --help',
  's.yaml help',
  'help',
  '-h s.yaml',
  's.yaml -qh',
  's.yaml --version',
  's.yaml --sesions 3',
  's.yaml --sessions',
  's.yaml --sessions --dry-run',
  's.yaml --scenario t.yaml',
  's.yaml --baseline a help',
  's.yaml -x',
  's.yaml --quiet.x',
  '-5',
  '-',
])('run %s: is left to yargs', async (line) => {
  const run = commands.find(({ name }) => name === 'run')!;
  expect(readPlainLine(run.usage, await builderOf(run), wordsOf(line))).toBe(null);
});

test('serve-mock --engine: a word that is no choice is left to yargs', async () => {
  const mock = commands.find(({ name }) => name === 'serve-mock')!;
  expect(readPlainLine(mock.usage, await builderOf(mock), ['--engine', 'apache'])).toBe(null);
});

const values = [
  ...'a s.yaml - -- -1 -1.5 7 007 1e3 true false help -h --help --version node uws x=y "q"'.split(' '),
  ...'--nosuch --a.b -xyz .5 __proto__ --no- --get-yargs-completions -q5 http://h/sse'.split(' '),
  '',
  "'q'",
  'a b',
];

test.each(commands)('$name: whatever is read without yargs is what yargs reads', async (command) => {
  const builder = await builderOf(command);
  const flags = [...new DeclaredFlags(builder).options].flatMap(([name, { alias }]) => [
    `--${name}`,
    `--no-${name}`,
    ...[alias ?? []].flat().map((letter) => `-${letter}`),
  ]);
  // Not every command has some.
  if (flags.length === 0) flags.push('--nosuch');
  const value = fc.constantFrom(...values);
  const word = fc.oneof(
    value,
    fc.constantFrom(...flags),
    fc.tuple(fc.constantFrom(...flags), value).map(([flag, given]) => `${flag}=${given}`),
    fc.tuple(fc.constantFrom(...flags), value).map(([flag, given]) => `${flag}.${given}`),
    fc
      .constantFrom(...flags)
      .map((flag) => flag.replace(/(?<=\w)-(\w)/g, (_, next: string) => next.toUpperCase())),
  );
  // Words that are in order come often enough only by design.
  const fine = fc.tuple(fc.constantFrom(...flags), fc.constantFrom('a', '7', 'x=y')).map((pair) => [...pair]);
  const line = fc
    .array(
      fc.oneof(
        fine,
        word.map((one) => [one]),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.flat());
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(line, async (words) => {
      const read = readPlainLine(command.usage, builder, words);
      if (read === null) return;
      plain++;
      expect(read).toEqual(await givenByYargs(command, words));
    }),
    { numRuns: 400, seed: 7 },
  );
  expect(plain).toBeGreaterThan(0);
});
