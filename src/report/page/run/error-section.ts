import type { RunResult } from '../../../result/result.js';
import { formatCount, formatPercent } from '../../../result/units.js';
import { truncate } from '../../formats/display-width.js';
import { exampleMessage } from '../../run/example-message.js';
import { errorRows, oddityTexts } from '../../run/error-rows.js';
import { oneLine } from '../../../text/one-line.js';
import { markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word } from '../table.js';

const longestExample = 400;
const mostKinds = 100;

/** What went wrong, by kind, each with an example; and what came that nobody asked for. */
export function errorSection(result: RunResult): Section | null {
  const rows = errorRows(result);
  const odd = oddityTexts(result);
  if (rows.length === 0 && odd.length === 0) return null;
  const cells = rows.slice(0, mostKinds).map(({ kind, count, share, example }) => [
    { shown: kind },
    { shown: formatCount(count) },
    { shown: formatPercent(share) },
    {
      shown:
        example === null
          ? ''
          : markup`<code>${truncate(oneLine(exampleMessage(example)), longestExample)}</code>`,
    },
  ]);
  const columns = [word('kind'), figure('count'), figure('share'), word('example or meaning')];
  return {
    id: 'problems',
    title: rows.length > 0 ? 'Errors' : 'Oddities',
    body: markup`${rows.length > 0 && dataTable('Errors by kind', columns, [cells])}
${rows.length > mostKinds && markup`<p class="note">… and ${formatCount(rows.length - mostKinds)} more kinds.</p>`}
${
  odd.length > 0 &&
  markup`<p>Also seen: ${odd
    .slice(0, mostKinds)
    .map((text) => truncate(oneLine(text), 120))
    .join(', ')}.</p>`
}`,
  };
}
