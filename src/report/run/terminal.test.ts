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
