const nsPerUnit: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };
const bytesPerUnit: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Nanoseconds of `5ms`, `1.5s`, `200us`, `2m`, `0`; undefined where the text is no duration. */
export function parseDurationNs(text: string): number | undefined {
  if (text.trim() === '0') return 0;
  const found = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|m|h)\s*$/.exec(text);
  return found ? Math.round(Number(found[1]) * nsPerUnit[found[2]!]!) : undefined;
}

/** A share between 0 and 1 of `1%`, `0.01` or `1/100`; undefined where the text is no such share. */
export function parseShare(text: string): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?:(%)|\/\s*(\d+(?:\.\d+)?))?\s*$/i.exec(text);
  if (!found) return undefined;
  const share = Number(found[1]) / (found[2] ? 100 : found[3] === undefined ? 1 : Number(found[3]));
  return share >= 0 && share <= 1 ? share : undefined;
}

/** Bytes of `4096`, `64KB` (1000), `4MiB` (1024); undefined where the text is no size. */
export function parseBytes(text: string): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b?)\s*$/i.exec(text);
  const unit = found ? bytesPerUnit[found[2]!.toLowerCase()] : undefined;
  return unit === undefined ? undefined : Math.round(Number(found![1]) * unit);
}
