import type { Comparison, ComparisonRow } from '../../compare/comparison.js';
import {
  changeText,
  comparisonHeadline,
  intervalText,
  marginText,
  valueText,
  verdictText,
} from './comparison-text.js';
import { terminalComparison } from './comparison-terminal.js';
import { junitXml, type JunitCase } from '../formats/junit-xml.js';
import { oneLine } from '../../text/one-line.js';

/**
 * A comparison as JUnit's XML: a test case that the runs can be compared (an error where not), and one per gate: a regression is a failure;
 * what is inconclusive, or stands behind what is, is skipped.
 */
export function junitComparison(comparison: Comparison): string {
  const { base, head } = comparison;
  const last = head.runs.at(-1)!;
  return junitXml([
    {
      name: oneLine(comparison.name),
      startedAt: last.startedAt,
      hostname: oneLine(last.hostname),
      seconds: 0,
      properties: {
        method: comparison.method,
        outcome: comparison.outcome,
        baseRuns: String(base.runs.length),
        headRuns: String(head.runs.length),
        base: oneLine(base.label),
        head: oneLine(head.label),
      },
      cases: [comparable(comparison), ...comparison.rows.flatMap(gateCase)],
      output: terminalComparison(comparison, { colour: false, width: 100 }),
    },
  ]);
}

function comparable(comparison: Comparison): JunitCase {
  const refused = comparison.outcome === 'refused';
  const { text } = comparisonHeadline(comparison);
  const reasons = comparison.refusals.map(({ message }) => message).join(' ');
  return {
    name: 'the runs can be compared',
    type: 'comparison',
    state: refused ? 'error' : 'passed',
    message: refused ? oneLine(`${text}: ${reasons}`) : '',
    seconds: 0,
  };
}

function gateCase(row: ComparisonRow): JunitCase[] {
  if (row.gate === null) return [];
  return [
    {
      name: `no regression of ${row.metric}`,
      type: 'comparison',
      state: stateOf(row),
      message: oneLine(messageOf(row)),
      seconds: 0,
    },
  ];
}

function stateOf({ verdict, decides }: ComparisonRow): JunitCase['state'] {
  if (!decides || verdict === null || verdict === 'inconclusive') return 'skipped';
  return verdict === 'regression' ? 'failure' : 'passed';
}

function messageOf(row: ComparisonRow): string {
  const figures = `${valueText(row, row.base)} → ${valueText(row, row.head)}, ${changeText(row)} (${intervalText(row) || 'no interval'}), margin ${marginText(row)}`;
  const because = row.doubt === null ? '' : `; ${row.doubt}`;
  const behind = row.decides ? '' : '; stands behind an undecided metric, and decides nothing';
  return `${verdictText(row)}: ${figures}${because}${behind}`;
}
