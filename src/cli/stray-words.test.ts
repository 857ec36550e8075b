import { expect, test } from 'vitest';
import { describeStrayWords, refuseDashes } from './stray-words.js';

const refusal = (line: string): string => {
  try {
    refuseDashes(line.split(' '));
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test.each([
  ['run s.yaml --target http://h/sse', ''],
  [
    'run s.yaml -- node server.js',
    'run takes no "-- node server.js": it cannot start a server over stdio yet; start the server yourself and give --target URL (or leave out the "--")',
  ],
  [
    'probe -- npx server',
    'probe takes no "-- npx server": it cannot start a server over stdio yet; start the server yourself and give its URL (or leave out the "--")',
  ],
  ['report r.json -- x', 'report takes nothing after "--", found "-- x"'],
  ['run s.yaml --', 'run takes nothing after "--": leave it out'],
  ['-- run', 'mcp-bench takes nothing after "--", found "-- run"'],
])('%s', (line, message) => {
  expect(refusal(line)).toBe(message);
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
    'run does not take "node" "server.js": it cannot start a server over stdio yet; start the server yourself and give --target URL',
  ],
  ['Unknown argument: speed', 'run s.yaml --speed', null],
  ['Not enough arguments following: target', 'run s.yaml --target', null],
  ['Unknown argument: nosuch', 'nosuch', null],
])('%s, of: %s', (message, line, text) => {
  expect(describeStrayWords(message, line.split(' '))).toBe(text);
});
