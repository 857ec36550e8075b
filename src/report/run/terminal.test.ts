import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { displayWidth } from '../formats/display-width.js';
import { results } from './results.fixture.js';
import { terminalReport } from './terminal.js';

const path = 'results/steady-20261118T070312Z.json';
const names = Object.keys(results);

test.each(names)('%s looks as it did', async (name) => {
  const text = terminalReport(results[name]!(), { colour: false, width: 80, path });
  await expect(text).toMatchFileSnapshot(`./golden/terminal-${name}.txt`);
});

test.each(names)('%s at a glance: a part of the whole, and where the rest is', (name) => {
  const result = results[name]!();
  // A table of fewer rows has narrower columns.
  const linesOf = (glance: boolean): string[] =>
    terminalReport(result, { colour: false, width: 80, path, glance })
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, '  '));
  const [whole, glance] = [linesOf(false), linesOf(true)];
  expect(glance.length).toBeLessThan(whole.length * 0.75);
  const own = /^ {2}[~*] |everything: --verbose, or --report html=FILE$|^Latency/;
  expect(glance.filter((line) => !whole.includes(line) && !own.test(line))).toEqual([]);
  expect(glance.slice(0, 5)).toEqual(whole.slice(0, 5));
  expect(glance.filter(Boolean).at(-1)).toBe(`Result  ${path}`);
});

test('at a glance there is one row of latency, one of each tool, and no more than is counted of the notes', () => {
  const text = terminalReport(results.suspect!(), { colour: false, width: 100, glance: true });
  expect(text.match(/^ {2}call\.\w+/gm)).toEqual(['  call.response']);
  expect(text).not.toMatch(/^(Handshake|Distribution|Warnings|About the target)/m);
});

test('a narrow terminal looks as it did', async () => {
  const text = terminalReport(results.suspect!(), { colour: false, width: 60, path });
  await expect(text).toMatchFileSnapshot('./golden/terminal-narrow.txt');
});

test.each(names)('%s keeps to its width and leaves no spaces at the end of a line', (name) => {
  for (const width of [60, 80, 120]) {
    const lines = terminalReport(results[name]!(), { colour: false, width }).split('\n');
    expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
  }
});

test.each(names)('%s says the same with colour as without, and is coloured only where asked', (name) => {
  const plain = terminalReport(results[name]!(), { colour: false, width: 80 });
  const coloured = terminalReport(results[name]!(), { colour: true, width: 80 });
  expect(plain).not.toContain('\u001b');
  expect(coloured).toContain('\u001b[1m');
  expect(stripVTControlCharacters(coloured)).toBe(plain);
  // oxlint-disable-next-line no-control-regex
  expect(coloured.match(/\u001b(?!\[(?:1|2|22|3[123]|39)m)/g)).toBeNull();
});

test('nothing that comes from elsewhere reaches the terminal as a control character', () => {
  const text = terminalReport(results.hostile!(), { colour: false, width: 80 });
  // oxlint-disable-next-line no-control-regex
  expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/g)).toBeNull();
});

test('the page says first how the run came out and whether to believe it', () => {
  const lines = terminalReport(results.suspect!(), { colour: false, width: 80 }).split('\n');
  expect(lines.findIndex((line) => line.startsWith('✗ suspect'))).toBeLessThan(8);
});
