import { expect, test } from 'vitest';
import { parseComparisonFlags } from './read-comparison-flags.js';
import { parseReportFiles } from '../reports/report-files.js';

test('flags say what matters', () => {
  expect(
    parseComparisonFlags({
      margin: ['p50=7.5%', 'errors = 1 %'],
      floor: '250us',
      gates: 'errors, p99',
    }),
  ).toEqual({ margins: { p50: 0.075, errors: 0.01 }, floorNs: 250_000, gates: ['errors', 'p99'] });
  expect(parseComparisonFlags({ gates: 'p50, search  p50', margin: ['search p50 = 20 %'] })).toEqual({
    margins: { 'search p50': 0.2 },
    gates: ['p50', 'search p50'],
  });
  expect(parseComparisonFlags({ floor: '0' })).toEqual({ margins: {}, floorNs: 0 });
});

test.each([
  [{ margin: ['p50=five'] }, 'such as p50=5%'],
  [{ margin: ['p50=0.05'] }, 'such as p50=5%'],
  [{ margin: ['p42=5%'] }, 'one of errors, p50, p99, throughput'],
  [{ gates: 'search p90' }, 'or a tool\'s percentile such as "search p50"'],
  [{ gates: 'p50,p42' }, '"p42" cannot fail a comparison'],
  [{ floor: '1' }, 'a duration with its unit'],
  [{ calibration: 'nowhere.json' }, 'Run mcp-bench calibrate'],
])('%j is a mistake, and says how to put it right', (flags, message) => {
  expect(() => parseComparisonFlags(flags)).toThrow(message);
});

test('reports are named by kind and file', () => {
  expect(parseReportFiles(['md=a=b.md'], ['md', 'junit'])).toEqual([{ kind: 'md', path: 'a=b.md' }]);
  expect(parseReportFiles(undefined, ['md'])).toEqual([]);
  for (const wrong of ['pdf=x', 'md', 'md=', '=x'])
    expect(() => parseReportFiles([wrong], ['md', 'junit'])).toThrow('one of the kinds md, junit');
});
