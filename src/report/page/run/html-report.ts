import type { RunResult } from '../../../result/result.js';
import { oneLine } from '../../../text/one-line.js';
import { environmentSection } from './environment-section.js';
import { errorSection } from './error-section.js';
import { framesOf } from './frames.js';
import { handshakeSection } from './handshake-section.js';
import { heatMapSection } from './heat-map-section.js';
import { htmlDocument } from '../html-document.js';
import { markup } from '../markup.js';
import { pageHeader } from '../page-header.js';
import { percentileSection } from './percentile-section.js';
import { phaseSection } from './phase-section.js';
import { scenarioSection } from './scenario-section.js';
import { sectionsMarkup } from '../section.js';
import { summary } from './summary.js';
import { timelineSection } from './timeline-section.js';
import { toolSection } from './tool-section.js';

/** A run as one HTML file, to be opened, mailed or kept as an artefact: it needs no network, and no text in it can act. */
export function htmlReport(result: RunResult): string {
  const frames = framesOf(result.intervals);
  const sections = [
    percentileSection(result),
    timelineSection(result, frames),
    heatMapSection(frames),
    toolSection(result),
    phaseSection(result),
    errorSection(result),
    handshakeSection(result),
    scenarioSection(result),
    environmentSection(result),
  ].filter((section) => section !== null);
  const body = markup`${pageHeader('report')}
${summary(result)}
<noscript><p class="note">The charts need JavaScript; the tables hold the same figures.</p></noscript>
${sectionsMarkup(sections)}`;
  return htmlDocument(`${oneLine(result.name)} · mcp-bench`, body, {
    charts: sections.flatMap(({ charts }) => charts ?? []),
    heatMaps: sections.flatMap(({ heatMaps }) => heatMaps ?? []),
  });
}
