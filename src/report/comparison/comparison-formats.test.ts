import { expect, test } from 'vitest';
import { comparisons } from '../../compare/comparison.fixture.js';
import type { Comparison } from '../../compare/comparison.js';
import { comparisonJson } from './comparison-json.js';
import { junitComparison } from './comparison-junit.js';
import { checkJunitSchemas } from '../formats/junit-schema.fixture.js';
import { markdownComparison } from './comparison-markdown.js';
import { comparisonAnnotations, fenced, runAnnotations } from '../formats/github.js';
import { results } from '../run/results.fixture.js';
import { parseXml } from '../formats/xml.fixture.js';

const names = Object.keys(comparisons);

test.each(names)('%s looks as it did', async (name) => {
  const comparison = comparisons[name]!();
  const golden = (ending: string): string => `./golden/comparison-${name}.${ending}`;
  await expect(markdownComparison(comparison)).toMatchFileSnapshot(golden('md'));
  await expect(junitComparison(comparison)).toMatchFileSnapshot(golden('xml'));
  await expect(`${comparisonAnnotations(comparison).join('\n')}\n`).toMatchFileSnapshot(
    golden('annotations.txt'),
  );
});

test.each(['errors', 'refused'])('%s is the JSON it was', async (name) => {
  await expect(comparisonJson(comparisons[name]!())).toMatchFileSnapshot(`./golden/comparison-${name}.json`);
});

test.each(names)('JUnit of %s is within the schemas of Ant and of Jenkins', (name) => {
  checkJunitSchemas(junitComparison(comparisons[name]!()));
});

test('JUnit counts what it holds: regressions fail, what is undecided is skipped, what cannot be compared is an error', () => {
  const counts = (name: string): Record<string, string> => {
    const suite = parseXml(junitComparison(comparisons[name]!())).children[0]!;
    const cases = suite.children.filter((child) => child.name === 'testcase');
    expect(suite.attributes.tests).toBe(String(cases.length));
    for (const [attribute, element] of [
      ['failures', 'failure'],
      ['errors', 'error'],
      ['skipped', 'skipped'],
    ] as const)
      expect(suite.attributes[attribute]).toBe(
        String(cases.filter((one) => one.children.some((child) => child.name === element)).length),
      );
    const { failures, errors, skipped, tests } = suite.attributes;
    return { tests: tests!, failures: failures!, errors: errors!, skipped: skipped! };
  };
  expect(counts('passed')).toEqual({ tests: '5', failures: '0', errors: '0', skipped: '0' });
  expect(counts('regression')).toEqual({ tests: '5', failures: '3', errors: '0', skipped: '0' });
  expect(counts('inconclusive')).toEqual({ tests: '5', failures: '0', errors: '0', skipped: '3' });
  expect(counts('fewRuns')).toEqual({ tests: '5', failures: '0', errors: '0', skipped: '0' });
  expect(counts('refused')).toEqual({ tests: '1', failures: '0', errors: '1', skipped: '0' });
  for (const name of names) counts(name);
});

test('Markdown has tables as wide as their heads, and nothing from elsewhere that is more than text', () => {
  for (const name of names) {
    const text = markdownComparison(comparisons[name]!());
    for (const table of text.split('\n\n').filter((block) => block.startsWith('| ')))
      expect(new Set(table.split('\n').map((row) => row.split('|').length)).size).toBe(1);
  }
  const hostile = markdownComparison(comparisons.hostile!());
  const tags = new Set([...hostile.matchAll(/<\/?([^>]*)>/g)].map(([, tag]) => tag));
  expect([...tags].sort()).toEqual(['code', 'details', 'sub', 'summary'].filter((tag) => tags.has(tag)));
  // oxlint-disable-next-line no-control-regex
  expect(hostile.match(/[\u0000-\u0009\u000b-\u001f\u202e]|`/g)).toBeNull();
});

test('Markdown fits into a comment whatever it holds', () => {
  const comparison = comparisons.hostile!();
  const long = '<&>|'.repeat(500);
  const note = { state: 'doubt', code: 'x', message: long } as const;
  const big: Comparison = {
    ...comparison,
    name: long,
    base: { ...comparison.base, label: long },
    notes: Array.from({ length: 500 }, () => note),
    refusals: Array.from({ length: 500 }, () => note),
    rows: Array.from({ length: 500 }, () => ({ ...comparison.rows.at(-1)!, metric: long })),
  };
  const text = markdownComparison(big);
  expect(Buffer.byteLength(text)).toBeLessThan(64_000);
  expect(text).toContain('and 460 more');
});

test('JSON can be read back, with null for what is infinite', () => {
  const { rows } = JSON.parse(comparisonJson(comparisons.errors!())) as {
    rows: { metric: string; head: number | null }[];
  };
  expect(rows.find(({ metric }) => metric === 'p99')!.head).toBeNull();
});

test('annotations are one command each, whatever the names hold', () => {
  for (const name of names)
    for (const line of comparisonAnnotations(comparisons[name]!()))
      expect(line).toMatch(/^::(error|notice|warning) title=[^:,\r\n]*::[^\r\n]*$/);
  expect(runAnnotations(results.thresholdsFailed!())).toHaveLength(2);
  const [missed] = runAnnotations({
    ...results.happy!(),
    name: 'a,b:c%\n::error::x',
    thresholds: [{ ...results.thresholdsFailed!().thresholds[0]!, detail: '100 %\r\n::warning::y' }],
  });
  expect(missed).toBe(
    '::error title=mcp-bench a%2Cb%3Ac%25 %3A%3Aerror%3A%3Ax%3A threshold missed::call.response p(99) < 250ms: 100 %25 ::warning::y',
  );
  expect(runAnnotations(results.happy!())).toEqual([]);
  expect(runAnnotations(results.allFailed!())[0]).toBe(
    '::error title=mcp-bench steady%3A the run failed::all 12,000 calls failed',
  );
});

test('nothing in a fenced text is a command', () => {
  expect(fenced('::error::x', 'abc')).toBe('::stop-commands::abc\n::error::x\n::abc::');
});
