const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
};

/** What a size looks like, for schemas of editors. */
export const byteSizePattern = /^\d+(\.\d+)?(B|KB|KiB|MB|MiB|GB|GiB)?$/;

/** What to say where a size was expected. */
export const byteSizeExpected = 'a size such as 512, 64KB or 1MiB';

/** Bytes of a size such as `64KB` or `1MiB`; null if the text is none. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text);
  const unit = match && Object.hasOwn(unitBytes, match[2]!) ? unitBytes[match[2]!]! : null;
  if (match === null || unit === null) return null;
  const bytes = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** The same size in the largest decimal unit that divides it. */
export function writtenByteSize(bytes: number): string {
  for (const unit of ['GB', 'MB', 'KB']) {
    const one = unitBytes[unit]!;
    if (bytes > 0 && bytes % one === 0) return `${bytes / one}${unit}`;
  }
  return `${bytes}B`;
}
