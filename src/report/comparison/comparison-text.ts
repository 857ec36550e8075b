import { hiddenSlowTools } from '../../compare/changed-tools.js';
import type { ComparedSide, Comparison, ComparisonRow } from '../../compare/comparison.js';
import { formatAmount, formatCount, formatPercent } from '../../result/units.js';
import { figureText } from '../formats/figure-text.js';
import type { Headline } from '../run/headline.js';

/** What stands where there is nothing to say. */
export const nothingToSay = '~';

/** What is put behind a metric: `~` where it is disturbed in a run, `*` where one has too few samples. */
export function rowMarks({ weak, disturbed }: ComparisonRow): string {
  return (disturbed > 0 ? '~' : '') + (weak ? '*' : '');
}

/** What the tilde means, with the number of runs; none where no row carries it. */
export function disturbedRowsNote(rows: readonly ComparisonRow[]): string[] {
  const marked = rows.filter(({ disturbed }) => disturbed > 0);
  if (marked.length === 0) return [];
  const list = marked
    .map(({ metric, disturbed }) => `${metric} in ${formatAmount(disturbed, 'run')}`)
    .join(', ');
  return [`~ disturbed by the generator (${list}): decided only where that could not turn the verdict`];
}

/** What a comparison came to, in a line. */
export function comparisonHeadline(comparison: Comparison): Headline {
  const { outcome, rows, gates } = comparison;
  const found = (...verdicts: string[]): ComparisonRow[] =>
    rows.filter(({ verdict, decides }) => decides && verdict !== null && verdicts.includes(verdict));
  const list = (label: string, some: ComparisonRow[]): string[] =>
    some.length === 0
      ? []
      : [
          label +
            some.map((row) => `${row.metric} ${changeText(row)} (margin ${marginText(row)})`).join(', '),
        ];
  const worse = found('slower, size uncertain');
  const unjudged = hiddenSlowTools(rows);
  const also = [
    ...list('better: ', found('improvement', 'faster, size uncertain')),
    ...list(
      'worse, but by less than the margin: ',
      worse.filter(({ doubt }) => doubt === null),
    ),
    ...list(
      'worse, but too few runs to fail anybody: ',
      worse.filter(({ doubt }) => doubt !== null),
    ),
    ...list('slower, but not judged: ', unjudged.slice(0, 3)),
  ];
  switch (outcome) {
    case 'refused':
      return {
        state: 'bad',
        word: 'refused',
        text: `these runs cannot be compared, for ${formatAmount(comparison.refusals.length, 'reason')} below`,
      };
    case 'regression':
      return {
        state: 'bad',
        word: 'regression',
        text: [...list('', found('regression')), ...also].join('; '),
      };
    case 'inconclusive':
      return {
        state: 'doubt',
        word: 'inconclusive',
        text: [`${gates.stoppedAt} cannot be decided`, ...also].join('; '),
      };
    case 'passed':
      return {
        state: worse.length + unjudged.length > 0 ? 'doubt' : 'good',
        word: 'passed',
        text: also.length > 0 ? `no regression; ${also.join('; ')}` : 'no change beyond the margins',
      };
  }
}

/** How the intervals were found, for people. */
export function methodText(comparison: Comparison): string {
  const { base, head, method } = comparison;
  const runs = `${formatAmount(base.runs.length, 'run')} against ${formatCount(head.runs.length)}`;
  const by = {
    ranks: 'exact ranks',
    'few runs': "Student's t over the runs",
    'one run': 'block bootstrap over the seconds of the runs',
  };
  const p50 = comparison.rows.find(({ metric }) => metric === 'p50');
  const level = p50?.interval ? `${formatPercent(p50.interval.confidence)} ` : '';
  return `${runs}, ${level}intervals by ${by[method]}`;
}

/** A side in a line: what ran, when. */
export function sideText({ runs }: ComparedSide): string {
  const distinct = (values: (string | null)[]): string => {
    const all = [...new Set(values.filter((value) => value !== null))];
    return all.length > 2 ? `${all.slice(0, 2).join(', ')} and others` : all.join(', ');
  };
  const times = runs.map(({ startedAt }) => startedAt.slice(0, 16).replace('T', ' ')).sort();
  const [first, last] = [times[0]!, times.at(-1)!];
  const sameDay = first.slice(0, 10) === last.slice(0, 10);
  const when = first === last ? first : `${first} to ${sameDay ? last.slice(11) : last}`;
  return [distinct(runs.map(({ git }) => git)), distinct(runs.map(({ server }) => server)), `${when} UTC`]
    .filter(Boolean)
    .join(' · ');
}

/** A figure of one side. */
export function valueText({ unit }: ComparisonRow, value: number): string {
  return figureText(unit, value);
}

/** The change, or `~` where its interval does not tell it from none. */
export function changeCell(row: ComparisonRow): string {
  const { interval, margins } = row;
  const unseen = interval !== null && interval.low <= margins.none && interval.high >= margins.none;
  return unseen ? nothingToSay : changeText(row);
}

/** The change, whatever it is worth. */
export function changeText({ effect, scale }: ComparisonRow): string {
  return scaled(effect, scale);
}

/** Where the true change lies, at the confidence of the comparison. */
export function intervalText({ interval, scale }: ComparisonRow): string {
  if (interval === null) return '';
  const [low, high] = [scaled(interval.low, scale), scaled(interval.high, scale)];
  return low === high ? low : `${low} … ${high}`;
}

/** From where on a change for the worse fails a build. */
export function marginText({ margins, scale }: ComparisonRow): string {
  const size = Math.abs((margins.worse === 'up' ? margins.up : margins.down) - margins.none);
  return scale === 'ratio' ? formatPercent(size) : scaled(size, scale).slice(1);
}

/** The verdict in words that fit the metric; of what is no gate, only which way it went. */
export function verdictText(row: ComparisonRow): string {
  const { verdict, gate, direction, metric } = row;
  if (gate === null) {
    if (direction === null) return nothingToSay;
    if (metric === 'errors') return direction === 'worse' ? 'more' : 'fewer';
    return direction === 'worse' ? 'slower' : 'faster';
  }
  if (verdict === null) return nothingToSay;
  if (metric !== 'errors') return verdict;
  return verdict.replace(/^slower/, 'more errors').replace(/^faster/, 'fewer errors');
}

/** A figure and its unit, kept together where lines are broken. */
export function unbroken(text: string): string {
  return text.replace(/(?<=\d) (?=%|pp|ms|µs|ns|s\b)/g, '\u00a0');
}

function scaled(value: number, scale: ComparisonRow['scale']): string {
  if (scale === 'difference') return `${signed(value * 100, 2)} pp`;
  if (value === Infinity) return 'failed';
  return `${signed((value - 1) * 100, 1)} %`;
}

function signed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text = size >= 999.5 ? formatCount(size) : size.toFixed(size >= 99.95 ? 0 : decimals);
  // No sign on what rounds to zero.
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}
