import type { VersusResult } from './versus-result.js';
import { printableJson } from '../text/one-line.js';

/** A contest as JSON, a line for each target and each ranking; figures that failed calls reach into are null. */
export function versusText(result: VersusResult): string {
  const lines = Object.entries(result).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${Array.isArray(value) ? listText(value) : JSON.stringify(value)}`,
  );
  return printableJson(`{\n${lines.join(',\n')}\n}\n`);
}

function listText(list: readonly unknown[]): string {
  return list.length === 0 ? '[]' : `[\n  ${list.map((item) => JSON.stringify(item)).join(',\n  ')}\n]`;
}
