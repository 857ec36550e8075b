import { expect, test } from 'vitest';
import { csvIntervals, csvSummary } from './csv.js';
import { results, withMetrics } from './results.fixture.js';

test.each(['suspect', 'hostile'])('the summary of %s looks as it did', async (name) => {
  await expect(csvSummary(results[name]!())).toMatchFileSnapshot(`./golden/summary-${name}.csv`);
});

test('the intervals look as they did', async () => {
  await expect(csvIntervals(results.happy!())).toMatchFileSnapshot('./golden/intervals-happy.csv');
});

test.each(Object.keys(results))('%s has rows of the same width, each ended by a line feed', (name) => {
  for (const text of [csvSummary(results[name]!()), csvIntervals(results[name]!())]) {
    const rows = parse(text);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(text.endsWith('\n')).toBe(true);
  }
});

test('figures come back as they were', () => {
  const result = withMetrics(results.happy!(), 'call.response');
  const [header, ...rows] = parse(csvSummary(result));
  const column = (name: string): number => header!.indexOf(name);
  const response = rows.find(
    (row) => row[column('scope')] === 'run' && row[column('metric')] === 'call.response',
  );
  expect(response?.[column('p99')]).toBe(String(result.metrics['call.response']!.p99));
  const sum = rows
    .filter((row) => row[column('scope')] === 'run' && row[column('metric')]?.startsWith('outcome.'))
    .reduce((total, row) => total + Number(row[column('value')]), 0);
  expect(sum).toBe(result.totals.started);
});

test('text with commas and quotes comes back, on one line; what begins like a formula is defused', () => {
  const result = results.happy!();
  const tool = 'a,"b"\r\nc';
  const [, ...rows] = parse(
    csvSummary({
      ...result,
      operations: [
        { ...result.operations[0]!, name: tool },
        { ...result.operations[1]!, name: '=HYPERLINK("x")' },
      ],
    }),
  );
  const tools = new Set(rows.map((row) => row[3]));
  expect(tools).toContain('a,"b" c');
  expect(tools).toContain('\'=HYPERLINK("x")');
});

/** RFC 4180 with LF, strictly. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let rest = text;
  while (rest !== '') {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/.exec(rest);
    if (!match) throw new Error(`not CSV: ${rest.slice(0, 50)}`);
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    rest = rest.slice(match[0].length);
    if (match[3] === '\n' && rest !== '') rows.push([]);
  }
  return rows;
}
