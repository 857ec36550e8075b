import { expect, test } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { foreign, prose } from '../formats/markdown-text.js';
import { markdownReport } from './markdown.js';
import { results } from './results.fixture.js';

test.each(Object.keys(results))('%s looks as it did', async (name) => {
  await expect(markdownReport(results[name]!())).toMatchFileSnapshot(`./golden/${name}.md`);
});

test.each(Object.keys(results))('%s has tables whose rows are as wide as their head', (name) => {
  const tables = markdownReport(results[name]!())
    .split('\n\n')
    .filter((block) => block.startsWith('| '));
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) {
    const widths = table.split('\n').map((row) => row.split('|').length);
    expect(new Set(widths).size).toBe(1);
  }
});

test('nothing that comes from elsewhere is more than text', () => {
  const text = markdownReport(results.hostile!());
  const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  expect(new Set(tags)).toEqual(
    new Set(['<code>', '</code>', '<sub>', '</sub>', '<details>', '</details>', '<summary>', '</summary>']),
  );
  // oxlint-disable-next-line no-control-regex
  expect(text.match(/[\u0000-\u0009\u000b-\u001f\u202e]|`/g)).toBeNull();
});

test('names are shown and do nothing', () => {
  const shown = foreign('@octocat #1 **b** [x](http://y) `c` <i> | \n $a$ ~~d~~ ![i](j)');
  expect(shown).not.toMatch(/[*[\]`|~$]|<i>|http:/);
  expect(decode(shown)).toBe('@octocat #1 **b** [x](http://y) `c` <i> |   $a$ ~~d~~ ![i](j)');
  expect(prose('see @octocat: #12 | b')).toBe('see @\u200boctocat: #\u200b12 &#124; b');
  expect(foreign('\u0000')).toBe('');
});

test('it fits into a comment whatever it holds, and says what it left out', () => {
  const base = results.hostile!();
  const long = '<&>|'.repeat(500);
  const big: RunResult = {
    ...base,
    operations: Array.from({ length: 500 }, (_, index) => ({
      ...base.operations[0]!,
      name: `${long}${index}`,
    })),
    thresholds: Array.from({ length: 500 }, () => ({
      ...base.thresholds[0]!,
      metric: long,
      rule: long,
      detail: long,
    })),
    findings: Array.from({ length: 500 }, () => ({ code: 'x', message: long })),
    examples: { 'httpError 500': long },
  };
  const text = markdownReport(big);
  expect(Buffer.byteLength(text)).toBeLessThan(64_000);
  expect(text).toContain('and 470 more');
  expect(text).toContain('are left out');
});

test('failed thresholds come first', () => {
  const rows = markdownReport(results.thresholdsFailed!())
    .split('\n')
    .filter((line) => /^\| [✅❌]/u.test(line));
  expect(rows.map((row) => row.slice(2, 3))).toEqual(['❌', '❌', '✅']);
});

/** What a reader of HTML makes of it. */
function decode(text: string): string {
  return text
    .replace(/<\/?code>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
