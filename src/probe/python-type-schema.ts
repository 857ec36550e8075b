import type { JsonSchema } from './json-schema.js';

const plain: Readonly<Record<string, JsonSchema>> = {
  str: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  list: { type: 'array' },
  tuple: { type: 'array' },
  set: { type: 'array' },
  dict: { type: 'object' },
  none: { type: 'null' },
  nonetype: { type: 'null' },
};

const longestHint = 1000;

/** The schema of a Python type hint such as `str`, `Optional[int]`, `List[str]` or `int | None`; `{}` for any other. */
export function pythonTypeSchema(hint: string): JsonSchema {
  // Longer than anybody writes one, and deeper than it can be read.
  if (hint.length > longestHint) return {};
  const text = hint
    .trim()
    .replace(/^<class '(.*)'>$/, '$1')
    .replace(/^typing\./, '');
  const choices = splitTop(text, '|');
  if (choices.length > 1) return { anyOf: choices.map(pythonTypeSchema) };
  const generic = /^([A-Za-z_.]+)\[(.*)\]$/s.exec(text);
  if (generic === null) return Object.hasOwn(plain, text.toLowerCase()) ? plain[text.toLowerCase()]! : {};
  const parts = splitTop(generic[2]!, ',');
  switch (generic[1]!.toLowerCase()) {
    case 'optional':
      return { anyOf: [...parts.map(pythonTypeSchema), { type: 'null' }] };
    case 'union':
      return { anyOf: parts.map(pythonTypeSchema) };
    case 'literal':
      return { enum: parts.map(readLiteral) };
    case 'list':
    case 'set':
    case 'sequence':
      return { type: 'array', items: pythonTypeSchema(parts[0] ?? '') };
    case 'tuple':
      return { type: 'array', prefixItems: parts.map(pythonTypeSchema), minItems: parts.length };
    case 'dict':
    case 'mapping':
      return { type: 'object' };
    default:
      return {};
  }
}

function readLiteral(text: string): string | number | boolean {
  if (/^(['"]).*\1$/s.test(text)) return text.slice(1, -1);
  if (text === 'True' || text === 'False') return text === 'True';
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

// At the separators that stand in no bracket.
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']') depth--;
    else if (text[at] === separator && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter(Boolean);
}
