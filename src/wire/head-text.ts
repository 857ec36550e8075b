/** What a text is in the head of a request: its target, or a header's name or value. */
export type HeadPart = 'target' | 'name' | 'value';

// RFC 9110 §5.5 and §5.6.2, without obs-text: a head is written one byte to a character, and U+010A would become a line end.
const strays: Readonly<Record<HeadPart, RegExp>> = {
  target: /[^\x21-\x7e]/u,
  name: /[^!#$%&'*+.^_`|~0-9A-Za-z-]/u,
  value: /[^\t\x20-\x7e]/u,
};

/** The first character of a text that may not go into the head of a request, such as `U+010A`; null where the text may. */
export function strayInHead(part: HeadPart, text: string): string | null {
  const found = strays[part].exec(text);
  if (found === null) return null;
  return `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
