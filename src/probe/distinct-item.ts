import type { JsonValue } from '../scenario/plan.js';
import type { JsonSchema } from './json-schema.js';
import { soundsLikeChange } from './probed-tool.js';

/** The item of a list whose items must differ: the one at this place made from the first, or the first itself where no other is known. */
export function distinctItem(first: JsonValue, at: number, schema: JsonSchema): JsonValue {
  if (at === 0) return first;
  if (schema.enum !== undefined) return otherChoices(first, schema.enum)[at - 1] ?? first;
  if (schema.const !== undefined) return first;
  if (typeof first === 'number') {
    const next = first + at * (schema.multipleOf ?? 1);
    return next > (schema.maximum ?? Infinity) ? first : next;
  }
  if (typeof first === 'boolean') return at === 1 ? !first : first;
  return typeof first === 'string' ? distinctText(first, String(at), schema) : first;
}

function otherChoices(first: JsonValue, choices: readonly JsonValue[]): JsonValue[] {
  const changes = (choice: JsonValue): number =>
    Number(typeof choice === 'string' && soundsLikeChange(choice));
  return choices.filter((choice) => choice !== first).sort((a, b) => changes(a) - changes(b));
}

function distinctText(first: string, mark: string, { format, pattern, maxLength }: JsonSchema): string {
  if (format === 'uuid') return first.slice(0, -mark.length) + mark;
  if (format === 'email') return mark + first;
  if (format !== undefined || pattern !== undefined) return first;
  return first.slice(0, Math.max(0, (maxLength ?? Infinity) - mark.length)) + mark;
}
