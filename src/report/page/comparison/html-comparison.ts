import type { Comparison, ComparisonNote } from '../../../compare/comparison.js';
import { comparisonHeadline, methodText, sideText } from '../../comparison/comparison-text.js';
import { oneLine } from '../../../text/one-line.js';
import { comparedRunsSection } from './compared-runs-section.js';
import { factsList } from '../facts-list.js';
import { forestSection } from './forest-section.js';
import { htmlDocument } from '../html-document.js';
import { markup, type Markup } from '../markup.js';
import { overlaySection, type ComparedSides } from './overlay-section.js';
import { overlayTimelineSection } from './overlay-timeline-section.js';
import { pageHeader } from '../page-header.js';
import { sectionsMarkup } from '../section.js';
import { noteList, verdictBox } from './verdict-box.js';

/** A comparison as one HTML file: the verdict, a forest plot of the changes, and both sides laid over one another. */
export function htmlComparison(sides: ComparedSides): string {
  const { comparison } = sides;
  const sections = [
    forestSection(comparison),
    overlaySection(sides),
    overlayTimelineSection(sides),
    comparedRunsSection(sides),
  ].filter((section) => section !== null);
  const body = markup`${pageHeader('comparison')}
${heading(comparison)}
${verdict(comparison)}
<noscript><p class="note">The charts need JavaScript; the tables hold the main figures.</p></noscript>
${sectionsMarkup(sections)}`;
  return htmlDocument(`${oneLine(comparison.name)} · mcp-bench comparison`, body, {
    charts: sections.flatMap(({ charts }) => charts ?? []),
    heatMaps: [],
  });
}

function heading(comparison: Comparison): Markup {
  const { name, base, head } = comparison;
  return markup`<h1>${name}</h1>
<p class="subtitle">${methodText(comparison)}</p>
<div class="sides">${factsList([
    [base.label, sideText(base)],
    [head.label, sideText(head)],
  ])}</div>`;
}

function verdict(comparison: Comparison): Markup {
  const refusals = comparison.refusals.map((note): ComparisonNote => ({ ...note, state: 'bad' }));
  return markup`<div class="verdicts">${verdictBox(
    comparisonHeadline(comparison),
    noteList([...refusals, ...comparison.notes]),
  )}</div>`;
}
