import { expect, test } from 'vitest';
import { type Command, commands } from './commands.js';
import { describeMistake } from './describe-mistake.js';

const named = async (name: string) => {
  const command: Command = commands.find((each) => each.name === name)!;
  return { command, code: await command.load(() => undefined) };
};

test.each([
  ['Unknown argument: rnu', 'rnu s.yaml', 'there is no command "rnu"; did you mean "run"?'],
  ['Unknown argument: x', 'x', 'there is no command "x"'],
  ['Unknown argument: nosuch', '--nosuch', null],
])('%s: %s', (message, line, expected) => {
  expect(describeMistake(message, line.split(' '), null)).toBe(expected);
});

test.each([
  [
    'run',
    'Unknown argument: sesions',
    'run --sesions 3',
    'run has no flag --sesions; did you mean "--sessions"?',
  ],
  [
    'run',
    'Unknown arguments: in-flihgt, inFlihgt',
    'run --in-flihgt=3',
    'run has no flag --in-flihgt; did you mean "--in-flight"?',
  ],
  ['run', 'Unknown arguments: a, b', 'run --a --b', 'run has no flag --a; run has no flag --b'],
  ['run', 'Unknown argument: x.yaml', 'run s.yaml x.yaml', null],
  [
    'serve-mock',
    'Invalid values:\n  Argument: engine, Given: "nod", Choices: "uws", "node"',
    'serve-mock --engine nod',
    '--engine: expected one of uws, node, found "nod"; did you mean "node"?',
  ],
  ['run', 'Not enough arguments following: rate', 'run --rate', null],
])('%s: %s', async (name, message, line, expected) => {
  expect(describeMistake(message, line.split(' '), await named(name))).toBe(expected);
});
