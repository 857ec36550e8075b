const error = /"error"\s*:\s*\{[^}]*?"message"\s*:\s*("(?:[^"\\]|\\.)*"?)/s;
const content = /"text"\s*:\s*("(?:[^"\\]|\\.)*"?)/s;

/** What a server meant by an example of an error: the message in it, also where the JSON was cut; anything else stays as it is. */
export function exampleMessage(example: string): string {
  if (!example.trimStart().startsWith('{')) return example;
  const code = /"code"\s*:\s*(-?\d+)/.exec(example)?.[1];
  const message = textOf(error.exec(example)?.[1]);
  if (message !== null && message !== '') return code === undefined ? message : `${message} (${code})`;
  if (!/"isError"\s*:\s*true/.test(example)) return example;
  return textOf(content.exec(example)?.[1]) || example;
}

function textOf(quoted: string | undefined): string | null {
  if (quoted === undefined) return null;
  try {
    return JSON.parse(
      quoted.length > 1 && quoted.endsWith('"') ? quoted : `${quoted.replace(/\\[^"]{0,5}$/, '')}"`,
    ) as string;
  } catch {
    return null;
  }
}
