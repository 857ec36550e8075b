/** How long a name may be that a server gave to something: itself, a method, a kind of error. */
export const longestName = 200;

/** A text of at most so many characters, with `…` where something is missing. What is cut off is let go of, however long it was. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not through a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  // A copy: a slice would keep all of the text that it was cut from.
  return `${Buffer.from(text.slice(0, Math.max(0, end)), 'utf16le').toString('utf16le')}…`;
}
