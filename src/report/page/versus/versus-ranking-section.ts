import type { RankedPlace, Ranking, VersusMetric } from '../../../versus/versus-result.js';
import { unbroken } from '../../comparison/comparison-text.js';
import { figureOf, intervalText, placeText, toFirstText, versusColumns } from '../../versus/versus-rows.js';
import { cssPercent } from '../css-percent.js';
import { markup, type Markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell } from '../table.js';
import { versusScale, type VersusScale } from './versus-scale.js';
import { targetName } from './versus-table-section.js';

/** All targets by one metric, best first: the median, its interval, and every round as a dot. */
export function versusRankingSection(ranking: Ranking): Section | null {
  const { metric, places } = ranking;
  if (places.length === 0) return null;
  const { section, long } = versusColumns[metric];
  const scale = versusScale(places);
  const rows = places.map((place): TableCell[] => [
    { shown: targetName(place.target) },
    { shown: placeText(ranking, place.target) },
    { shown: unbroken(figureOf(metric, place.median)) },
    { shown: mark(place, scale, place.place === 1) },
    { shown: unbroken(intervalText(metric, place)) },
    { shown: toFirstText(place) },
    { shown: place.ties },
  ]);
  const axis: TableCell[] = [
    { shown: '' },
    { shown: '' },
    { shown: '' },
    { shown: axisMarkup(metric, scale) },
  ];
  const columns = [
    word('target'),
    figure('#'),
    figure('median'),
    word('every round, median and its interval'),
    figure('interval'),
    figure('to the first'),
    word('tied'),
  ];
  return {
    id: `by-${metric}`,
    title: section,
    body: markup`<p class="note">${long}.${ranking.confidence !== null && ' Targets that share a letter in the last column cannot be told apart.'}</p>
<div class="forest-table">${dataTable(long, columns, [[...rows, axis]])}</div>`,
  };
}

function mark({ values, median, interval }: RankedPlace, { at }: VersusScale, first: boolean): Markup {
  const x = (value: number): string => cssPercent(at(value));
  const end = (value: number): Markup =>
    markup`<line class="span" x1="${x(value)}" x2="${x(value)}" y1="7" y2="15"/>`;
  return markup`<svg class="forest ${first ? 'better' : 'open'}" aria-hidden="true"><line class="rail" x2="100%" y1="11" y2="11"/>${values.map(
    (value) => markup`<circle class="round" cx="${x(value)}" cy="11" r="3"/>`,
  )}<line class="span" x1="${x(interval.low)}" x2="${x(interval.high)}" y1="11" y2="11"/>${end(interval.low)}${end(interval.high)}<circle cx="${x(median)}" cy="11" r="4.5"/></svg>`;
}

function axisMarkup(metric: VersusMetric, { at, ticks }: VersusScale): Markup {
  const anchor = (share: number): string => (share < 0.08 ? 'start' : share > 0.92 ? 'end' : 'middle');
  return markup`<svg class="forest axis" aria-hidden="true">${ticks.map(
    (value) =>
      markup`<text x="${cssPercent(at(value))}" y="14" text-anchor="${anchor(at(value))}">${shortFigure(metric, value)}</text>`,
  )}</svg>`;
}

/** `2.00 ms` says no more than `2 ms` on an axis. */
function shortFigure(metric: VersusMetric, value: number): string {
  return value === 0 ? '0' : figureOf(metric, value).replace(/\.0+(?=\D|$)|(\.\d*?[1-9])0+(?=\D|$)/, '$1');
}
