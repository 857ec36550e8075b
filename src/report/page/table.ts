import { markup, type Content, type Markup } from './markup.js';

export interface TableColumn {
  title: string;
  /** Words are aligned left, figures right. */
  kind: 'word' | 'figure';
}

/** A cell: what it shows, and the number it is sorted by where that is another. */
export interface TableCell {
  shown: Content;
  sortBy?: number;
}

/** Rows that stay together when the table is sorted; the first cell of each is its heading. */
export type TableGroup = readonly (readonly TableCell[])[];

/** A table in a frame of its own that scrolls sideways where it must, so that the page never does. */
export function dataTable(
  label: string,
  columns: readonly TableColumn[],
  groups: readonly TableGroup[],
  options: { sorts?: boolean } = {},
): Markup {
  const head = columns.map(({ title, kind }) =>
    options.sorts
      ? markup`<th scope="col" class="${kind}" aria-sort="none"><button type="button">${title}<span class="arrow" aria-hidden="true"></span></button></th>`
      : markup`<th scope="col" class="${kind}">${title}</th>`,
  );
  const bodies = options.sorts
    ? groups.map((rows) => markup`<tbody>${rows.map((row) => rowMarkup(columns, row))}</tbody>\n`)
    : markup`<tbody>\n${groups.flat().map((row) => markup`${rowMarkup(columns, row)}\n`)}</tbody>`;
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table${options.sorts ? markup` data-sorts` : null}>
<caption>${label}</caption>
<thead><tr>${head}</tr></thead>
${bodies}</table></div>`;
}

/** A table behind a chart: there for whoever wants the figures, or cannot see the chart. */
export function foldedTable(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
): Markup {
  return markup`<details><summary>${label}</summary>${dataTable(label, columns, [rows])}</details>`;
}

export const word = (title: string): TableColumn => ({ title, kind: 'word' });
export const figure = (title: string): TableColumn => ({ title, kind: 'figure' });

function rowMarkup(columns: readonly TableColumn[], row: readonly TableCell[]): Markup {
  const cells = columns.map(({ kind }, at) => {
    const { shown, sortBy } = row[at] ?? { shown: '' };
    const by = sortBy === undefined ? null : markup` data-by="${sortBy}"`;
    if (at === 0) return markup`<th scope="row" class="${kind}"${by}>${shown}</th>`;
    return markup`<td class="${kind}"${by}>${shown}</td>`;
  });
  return markup`<tr>${cells}</tr>`;
}
