import type { VersusResult } from '../../../versus/versus-result.js';
import type { Headline } from '../../run/headline.js';
import { oneLine } from '../../../text/one-line.js';
import { figureOf, intervalText, targetNotes, versusColumns, versusFacts } from '../../versus/versus-rows.js';
import { htmlDocument } from '../html-document.js';
import { markup } from '../markup.js';
import { pageHeader } from '../page-header.js';
import { sectionsMarkup } from '../section.js';
import { noteList, verdictBox } from '../comparison/verdict-box.js';
import { versusRankingSection } from './versus-ranking-section.js';
import { versusEnvironmentSection, versusRunsSection } from './versus-runs-section.js';
import { versusTableSection, versusToolSection } from './versus-table-section.js';

/** A contest as one HTML file: who came first, the table, a plot of every metric with its intervals, and every run. */
export function htmlVersus(result: VersusResult): string {
  const sections = [
    versusTableSection(result),
    versusToolSection(result),
    ...result.rankings.map(versusRankingSection),
    versusRunsSection(result),
    versusEnvironmentSection(result),
  ].filter((section) => section !== null);
  const notes = targetNotes(result).map(({ target, text }) => ({
    state: 'doubt' as const,
    code: 'target',
    message: target === null ? text : `${target}: ${text}`,
  }));
  const body = markup`${pageHeader('versus')}
<h1>${result.name}</h1>
<p class="subtitle">${versusFacts(result).join(' · ')}</p>
<div class="verdicts">${verdictBox(headline(result), noteList(notes))}</div>
${sectionsMarkup(sections)}`;
  return htmlDocument(`${oneLine(result.name)} · mcp-bench versus`, body, { charts: [], heatMaps: [] });
}

function headline({ rankings, targets, ended }: VersusResult): Headline {
  const { metric, places } = rankings[0]!;
  const out = targets.filter(({ reason }) => reason !== null).length;
  const apart = out === 0 ? '' : `; ${out} of ${targets.length} not ranked`;
  const [first] = places;
  if (first === undefined) return { state: 'bad', word: 'nobody', text: 'no target could be ranked' };
  const { title } = versusColumns[metric];
  const figures = `${title} ${figureOf(metric, first.median)} (${intervalText(metric, first)})`;
  const tied = places.filter(({ place }) => place === 1).map(({ target }) => target);
  const state = ended === 'interrupted' || out > 0 ? 'doubt' : 'good';
  if (tied.length === 1) return { state, word: first.target, text: `is first: ${figures}${apart}` };
  return {
    state,
    word: 'tie',
    text: `${tied.length === places.length ? 'none of the targets' : `${tied.join(', ')}: none of them`} is better for certain; the best median is ${first.target}’s: ${figures}${apart}`,
  };
}
