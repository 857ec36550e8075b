import { Failure } from '../../failure.js';
import type { JsonValue } from '../../scenario/plan.js';

/** Reads `--arguments` and `--arg` together, the single ones over the others; undefined where neither is there. */
export function readCallArguments(
  json: string | undefined,
  pairs: readonly string[] | undefined,
): Record<string, JsonValue> | undefined {
  if (json === undefined && pairs === undefined) return undefined;
  const read: [string, JsonValue][] = (pairs ?? []).map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new Failure(`--arg: expected key=value, found "${pair}"`);
    return [pair.slice(0, at), readValue(pair.slice(at + 1))];
  });
  return { ...(json === undefined ? {} : readArguments(json)), ...Object.fromEntries(read) };
}

/** Reads arguments that are given as one JSON object. */
export function readArguments(text: string): Record<string, JsonValue> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, JsonValue>;
  } catch {
    // said below
  }
  throw new Failure(`--arguments: expected a JSON object such as {"message":"hello"}, found ${text}`);
}

function readValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
