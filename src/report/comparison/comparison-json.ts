import type { Comparison } from '../../compare/comparison.js';
import { printableJson } from '../../text/one-line.js';

/** A comparison as JSON for machines, one line per row; figures that are infinite, as percentiles lost to failed calls are, are null. */
export function comparisonJson(comparison: Comparison): string {
  const lines = Object.entries(comparison).map(([key, value]) => {
    const text =
      Array.isArray(value) && value.length > 0
        ? `[\n  ${value.map((item) => JSON.stringify(item, rounded)).join(',\n  ')}\n]`
        : JSON.stringify(value, rounded);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return printableJson(`{\n${lines.join(',\n')}\n}\n`);
}

// More digits than that come from the order of additions, and differ between processors.
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(10)) : value;
}
