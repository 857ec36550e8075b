import { expect, test } from 'vitest';
import { describeStrayWords, splitDashes } from './stray-words.js';

const refusal = (line: string): string => {
  try {
    splitDashes(line.split(' '), ['run']);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test.each([
  ['run s.yaml --target http://h/sse', ''],
  ['run s.yaml -- node server.js', ''],
  [
    'ceiling -- npx server',
    'ceiling takes no "-- npx server": start the server yourself and give its URL (or leave out the "--")',
  ],
  ['report r.json -- x', 'report takes nothing after "--", found "-- x"'],
  ['report r.json --', 'report takes nothing after "--": leave it out'],
  ['run s.yaml --', 'run: expected the command of a server after "--", found nothing'],
  ['-- run', 'mcp-bench takes nothing after "--", found "-- run"'],
])('%s', (line, message) => {
  expect(refusal(line)).toBe(message);
});

test('what comes after -- is the command of a server, flags and all', () => {
  const line = ['run', 's.yaml', '--quiet', '--', 'node', 'server.js', '--quiet', '--', 'x'];
  expect(splitDashes(line, ['run'])).toEqual({
    words: ['run', 's.yaml', '--quiet'],
    server: ['node', 'server.js', '--quiet', '--', 'x'],
  });
  expect(splitDashes(['run', 's.yaml'], ['run'])).toEqual({ words: ['run', 's.yaml'], server: null });
});

test.each([
  ['Unknown argument: x', 'report r.json x', 'report does not take "x"'],
  ['Unknown arguments: x, y', 'run s.yaml x y', 'run does not take "x" "y"'],
  [
    'Unknown argument: http://h/sse',
    'run s.yaml http://h/sse',
    'run does not take "http://h/sse": to name the server, --target http://h/sse',
  ],
  [
    'Unknown arguments: node, server.js',
    'run s.yaml node server.js',
    'run does not take "node" "server.js": to start a server and speak to it over stdio, put "--" before its command',
  ],
  ['Unknown argument: speed', 'run s.yaml --speed', null],
  ['Not enough arguments following: target', 'run s.yaml --target', null],
  ['Unknown argument: nosuch', 'nosuch', null],
])('%s, of: %s', (message, line, text) => {
  expect(describeStrayWords(message, line.split(' '))).toBe(text);
});
