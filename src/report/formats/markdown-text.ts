import { truncate } from './display-width.js';
import { oneLine } from '../../text/one-line.js';
import type { Column } from './text-table.js';

// What Markdown, HTML, or GitHub's emoji, formulas and links would make something of.
const special = /[\\`*_[\]|<>~&$]|:(?! |$)|(?<=\bwww)\./gi;

/** Text from elsewhere as Markdown that shows it, letter by letter, as code and on one line; cut to a length. */
export function foreign(text: string, most = 100): string {
  const shown = truncate(oneLine(text), most);
  return shown === '' ? '' : `<code>${escape(shown)}</code>`;
}

/** As `foreign`, but as running text: nobody is mentioned, and no issue referred to. */
export function prose(text: string, most = 400): string {
  // Both work on the text as shown, so that only a break in it helps.
  return escape(truncate(oneLine(text), most)).replace(/(?<!&)[@#](?=\w)/g, '$&\u200b');
}

/** A table; the cells are Markdown already. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'left' ? ':--' : '--:'))),
    ...rows.map((row) => line(columns.map((_, index) => row[index] ?? ''))),
  ].join('\n');
}

function escape(text: string): string {
  return text.replace(special, (character) => `&#${character.codePointAt(0)};`);
}
