import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { versusText } from '../../versus/versus-text.js';
import { contests } from '../../versus/versus-result.fixture.js';
import { displayWidth } from '../formats/display-width.js';
import { versusMarkdown } from './versus-markdown.js';
import { versusTerminal } from './versus-terminal.js';

describe.each(Object.keys(contests))('the contest %s', (name) => {
  const make = contests[name]!;

  test('looks as it did in a terminal', async () => {
    await expect(
      versusTerminal(make(), { colour: false, width: 100, path: 'results/versus/x.json' }),
    ).toMatchFileSnapshot(`./golden/versus-${name}.txt`);
  });

  test('looks as it did as Markdown', async () => {
    await expect(versusMarkdown(make())).toMatchFileSnapshot(`./golden/versus-${name}.md`);
  });

  test('takes no more room than there is, and colours only colour', () => {
    for (const width of [130, 100, 80]) {
      const text = versusTerminal(make(), { colour: false, width });
      expect(stripVTControlCharacters(versusTerminal(make(), { colour: true, width }))).toBe(text);
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test('is JSON that other tools can read', () => {
    const read = JSON.parse(versusText(make())) as { schema: string; targets: { name: string }[] };
    expect(read.schema).toBe('mcp-bench/versus@2');
    expect(read.targets.map((target) => target.name)).toEqual(make().targets.map((target) => target.name));
  });
});

test('at 80 columns no figure is dropped', () => {
  const text = versusTerminal(contests['ranked']!(), { colour: false, width: 80 });
  for (const title of ['calls/s', 'p50', 'p99', 'handshake', 'CPU/1,000', 'mem/session', 'peak mem'])
    expect(text).toContain(title);
});
