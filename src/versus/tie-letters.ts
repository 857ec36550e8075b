/**
 * Letters for `count` things in their order, such that two share a letter exactly where `differ` does not tell them apart
 * (a compact letter display, by inserting and absorbing).
 */
export function tieLetters(count: number, differ: (a: number, b: number) => boolean): string[] {
  let columns: Set<number>[] = [new Set(Array.from({ length: count }, (_, at) => at))];
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) if (differ(a, b)) columns = split(columns, a, b);
  const first = (column: Set<number>): number => Math.min(...column);
  const last = (column: Set<number>): number => Math.max(...column);
  columns.sort((a, b) => first(a) - first(b) || last(a) - last(b));
  return Array.from({ length: count }, (_, at) =>
    columns.map((column, index) => (column.has(at) ? letter(index) : '')).join(''),
  );
}

function split(columns: readonly Set<number>[], a: number, b: number): Set<number>[] {
  const all = columns.flatMap((column) =>
    column.has(a) && column.has(b)
      ? [new Set([...column].filter((each) => each !== a)), new Set([...column].filter((each) => each !== b))]
      : [column],
  );
  const within = (small: Set<number>, large: Set<number>): boolean =>
    [...small].every((each) => large.has(each));
  // Of two equal ones the first stays.
  return all.filter(
    (column, at) =>
      !all.some(
        (other, index) => index !== at && within(column, other) && (other.size > column.size || index < at),
      ),
  );
}

function letter(index: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return letters[index] ?? `${letters[Math.floor(index / 26) - 1] ?? 'z'}${letters[index % 26]}′`;
}
