import { expect, test } from 'vitest';
import { oneLine, printableJson, printableText, withoutCommands } from './one-line.js';

const bidi = 'a\u202eb\u2066c\u061cd';

test.each([
  ['ends of lines', 'a\r\nb\nc\u2028d\u0085e', 'a b c d e'],
  ['escape sequences', '\u001b[2J\u009b31mred\u0007', '[2J 31mred'],
  ['marks that turn the direction of text', bidi, 'a b c d'],
  ['what shows nothing', '\u200bzero\ufeff\u2060width\u{e0041}', 'zero width'],
  ['half a surrogate pair', 'a\ud800b', 'a b'],
])('%s become spaces', (_, text, line) => expect(oneLine(text)).toBe(line));

test('what can be printed stays', () => expect(oneLine('µs ▇ 漢字 é 🚀')).toBe('µs ▇ 漢字 é 🚀'));

test('several lines keep their ends and their tabs', () => {
  expect(printableText('a\n\tb\u001b[2J\u202e\r\n')).toBe('a\n\tb\ufffd[2J\ufffd\ufffd\n');
});

test.each([
  '##[error]x',
  '###[group]x',
  'a ##vso[task.setvariable variable=a]x',
  "##teamcity[message text='x']",
])('no CI system finds a command in %s', (text) => {
  expect(withoutCommands(text)).toBe(text.replace(/##(?=\w*\[)/, '# #'));
  expect(withoutCommands(text)).not.toMatch(/##\w*\[/);
  const json = JSON.stringify({ text });
  expect(printableJson(json)).not.toMatch(/##\w*\[/);
  expect(JSON.parse(printableJson(json))).toEqual({ text });
});

test('JSON is escaped where it could not be printed, and reads as it was', () => {
  const value = { [`key${bidi}`]: ['\u009b2J\u2028\u{e0041}\ud800', { text: 'two\nlines ##[error]' }] };
  const text = printableJson(JSON.stringify(value, null, 2));
  expect(text.split('\n').map(oneLine).join('\n')).toBe(text.replace(/^ +/gm, ''));
  expect(text).not.toContain('##[');
  expect(JSON.parse(text)).toEqual(value);
});
