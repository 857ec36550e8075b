import type { JsonValue } from '../scenario/plan.js';
import type { JsonSchema } from './json-schema.js';
import { soundsLikeChange } from './probed-tool.js';

/** So many items that differ, made from the first; where no other is known, the first itself again. */
export function distinctItems(first: JsonValue, count: number, schema: JsonSchema): JsonValue[] {
  const others = schema.enum === undefined ? null : otherChoices(first, schema.enum);
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return first;
    return others === null ? distinctItem(first, at, schema) : (others[at - 1] ?? first);
  });
}

function distinctItem(first: JsonValue, at: number, schema: JsonSchema): JsonValue {
  if (schema.const !== undefined) return first;
  if (typeof first === 'number') {
    const next = first + at * (schema.multipleOf ?? 1);
    return next <= (schema.maximum ?? Number.MAX_VALUE) ? next : first;
  }
  if (typeof first === 'boolean') return at === 1 ? !first : first;
  return typeof first === 'string' ? distinctText(first, String(at), schema) : first;
}

// What sounds as if it changed something comes last.
function otherChoices(first: JsonValue, choices: readonly JsonValue[]): JsonValue[] {
  const changes = (choice: JsonValue): boolean => typeof choice === 'string' && soundsLikeChange(choice);
  const rest = choices.filter((choice) => choice !== first);
  return [...rest.filter((choice) => !changes(choice)), ...rest.filter(changes)];
}

function distinctText(first: string, mark: string, { format, pattern, maxLength }: JsonSchema): string {
  if (format === 'uuid') return first.slice(0, -mark.length) + mark;
  if (format === 'email') return mark + first;
  if (format !== undefined || pattern !== undefined) return first;
  return first.slice(0, Math.max(0, (maxLength ?? Infinity) - mark.length)) + mark;
}
