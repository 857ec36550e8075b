import { jsonExcess } from './json-excess.js';

/** Parses a JSON text of a server's, unless it holds so many values that memory would suffer: throws then, as for what is no JSON. */
export function parseBounded(text: string): unknown {
  const excess = jsonExcess(text);
  if (excess !== null) throw new SyntaxError(excess);
  return JSON.parse(text);
}
