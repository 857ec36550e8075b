// What is read and thrown away again, and what a list of tools with all its schemas never comes near.
const mostValues = 500_000;
// A text of this length cannot hold more than that, or not by enough to matter.
const shortText = 64 * 1024;

/** Why a JSON text would take more memory than it is worth to read; null where it may be read. */
export function jsonExcess(text: string): string | null {
  if (text.length <= shortText || countValues(text) <= mostValues) return null;
  return `it has more than ${mostValues.toLocaleString('en-US')} values`;
}

// Each value but the first of a list or object has a comma before it. Ends early where there are too many.
function countValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length && count <= mostValues; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at);
    else if (code === 44 || code === 91 || code === 123) count++;
  }
  return count;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let first = quote;
    while (text.charCodeAt(first - 1) === 92) first--;
    // After an even number of backslashes the quote is one.
    if ((quote - first) % 2 === 0) return quote;
    at = quote + 1;
  }
}
