import { printableJson, printableText } from '../../text/one-line.js';

/** A piece of HTML in which everything from elsewhere is escaped already. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | number | null | false | readonly Content[];

/** HTML as a template: whatever is put in is escaped, unless it is markup itself; null and false leave nothing. */
export function markup(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + textOf(contents[at - 1] ?? null) + string));
}

/** Text of our own making that is HTML, CSS or a path as it stands. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** Data for a script, to stand in a script element: nothing in it can end that element or open a comment. */
export function scriptJson(value: unknown): Markup {
  return new Markup(
    printableJson(JSON.stringify(value)).replace(
      /[<>&]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}

function textOf(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escapeHtml(String(content));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from elsewhere as HTML shows it, also within the quotes of an attribute. */
export function escapeHtml(text: string): string {
  return printableText(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
