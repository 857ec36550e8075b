import { stripVTControlCharacters } from 'node:util';

// Two columns wide in every terminal: CJK, Hangul, full-width forms, and most emoji.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const zero = /\p{Mn}|\p{Me}|\u200d/u;

/** How many columns a text takes on a terminal; colour codes take none. */
export function displayWidth(text: string): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** Fills up with spaces to a width, on the right or on the left. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const filling = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + filling : filling + text;
}

/** Cuts an uncoloured text to a width, with `…` where something is missing. */
export function truncate(text: string, width: number): string {
  const end = endOfWidth(text, 0, width);
  if (end === text.length) return text;
  return width > 0 ? `${text.slice(0, endOfWidth(text, 0, width - 1)).trimEnd()}…` : '';
}

/** Where the characters from `start` on that fit into a width end; no more is looked at, however long the text is. */
function endOfWidth(text: string, start: number, width: number): number {
  let used = 0;
  let at = start;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    used += displayWidth(character);
    if (used > width) break;
    at += character.length;
  }
  return at;
}

/** Breaks an uncoloured text into lines of at most this width, between words where it can. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter(Boolean)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (endOfWidth(joined, 0, width) === joined.length) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    let at = 0;
    for (let end = endOfWidth(word, at, width); end < word.length; end = endOfWidth(word, at, width)) {
      // One character, at least, though it may be too wide.
      if (end === at) end += String.fromCodePoint(word.codePointAt(at)!).length;
      lines.push(word.slice(at, end));
      at = end;
    }
    line = word.slice(at);
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** Sets items one after the other with dots between, and breaks lines only between items where it can. */
export function wrapItems(items: readonly string[], width: number): string[] {
  const unbroken = items.filter(Boolean).map((item) => item.replaceAll(' ', '\u00a0'));
  return wrap(unbroken.join('\u00a0· '), width).map((line) => line.replaceAll('\u00a0', ' '));
}
