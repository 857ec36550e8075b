/** How much of something there may be: JSON values in all, levels, and characters of texts and names. */
export interface JsonLimits {
  readonly values: number;
  readonly depth: number;
  readonly characters: number;
}

/** What a JSON value comes to. */
export interface JsonWeight {
  readonly values: number;
  readonly characters: number;
  /** Which limit it goes beyond, in words; null where it keeps to all. */
  readonly excess: string | null;
}

/** Weighs a JSON value of any depth, without going into it further than the limits. */
export function weighJson(value: unknown, limits: JsonLimits): JsonWeight {
  const left: unknown[] = [value];
  const depths: number[] = [1];
  let values = 0;
  let characters = 0;
  const over = (excess: string): JsonWeight => ({ values, characters, excess });
  while (left.length > 0) {
    const next = left.pop();
    const depth = depths.pop()!;
    values++;
    if (typeof next === 'string') characters += next.length;
    if (characters > limits.characters) return over(`has more than ${shown(limits.characters)} characters`);
    if (typeof next !== 'object' || next === null) continue;
    if (depth > limits.depth) return over(`is nested deeper than ${shown(limits.depth)} levels`);
    const below: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) for (const key in next) characters += key.length;
    if (values + left.length + below.length > limits.values)
      return over(`has more than ${shown(limits.values)} values`);
    for (const each of below) {
      left.push(each);
      depths.push(depth + 1);
    }
  }
  return { values, characters, excess: null };
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
