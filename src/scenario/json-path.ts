/** The keys of a path such as `content[0].text`, `$` (the whole) or `a["odd key"]`; null if the text is none. */
export function parseJsonPath(text: string): (string | number)[] | null {
  const keys: (string | number)[] = [];
  let rest = text.startsWith('$') ? text.slice(1) : `.${text}`;
  if (rest.startsWith('.[')) rest = rest.slice(1);
  while (rest !== '') {
    const step = /^\.([^.[\]"]+)|^\[(\d+)\]|^\["([^"]*)"\]/.exec(rest);
    if (step === null) return null;
    keys.push(step[2] === undefined ? (step[1] ?? step[3]!) : Number(step[2]));
    rest = rest.slice(step[0].length);
  }
  return keys;
}

/** The value at these keys, or undefined where there is none. */
export function valueAt(value: unknown, keys: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}
