import type { MirroredArgument } from '../scenario/plan.js';
import { strayInHead } from '../wire/head-text.js';
import { cut } from '../text/cut.js';

const mark = 'x-mcp-header';
const types = ['string', 'integer', 'boolean'];
// Where a schema holds data, and no schemas.
const data = new Set(['default', 'const', 'enum', 'examples']);
const deepest = 64;
const mostNodes = 20_000;

/** The arguments that a tool's schema wants repeated in headers; or why clients may not call the tool at all, where it says that wrongly. */
export function readMirrored(inputSchema: unknown): readonly MirroredArgument[] | string {
  const found: MirroredArgument[] = [];
  let nodes = 0;
  const visit = (node: unknown, path: readonly string[], isReachable: boolean): string | null => {
    if (typeof node !== 'object' || node === null) return null;
    if (path.length > deepest || ++nodes > mostNodes) return 'the schema is too large to be searched';
    if (Array.isArray(node)) return firstOf(node, (each) => visit(each, path, false));
    const fault = Object.hasOwn(node, mark) ? take(node as Schema, path, isReachable, found) : null;
    if (fault !== null) return fault;
    return firstOf(Object.entries(node), ([key, value]: [string, unknown]) => {
      if (data.has(key)) return null;
      const holdsProperties = key === 'properties' && typeof value === 'object' && !Array.isArray(value);
      if (!holdsProperties) return visit(value, [...path, key], false);
      return firstOf(Object.entries(value ?? {}), ([name, schema]) =>
        visit(schema, [...path, name], isReachable),
      );
    });
  };
  return visit(inputSchema, [], true) ?? found;
}

type Schema = Readonly<Record<string, unknown>>;

function take(
  schema: Schema,
  path: readonly string[],
  isReachable: boolean,
  found: MirroredArgument[],
): string | null {
  const where = cut(path.join('.') || 'the schema itself', 80);
  const header = schema[mark];
  if (!isReachable || path.length === 0) return `${where}: no argument of the tool lies there`;
  if (typeof header !== 'string' || header === '') return `${where}: the name of the header is no text`;
  if (header.length > 256 || strayInHead('name', header) !== null)
    return `${where}: "${cut(header, 80)}" cannot be the name of a header`;
  if (!types.includes(String(schema['type'])))
    return `${where}: only strings, integers and booleans can be repeated in a header`;
  if (found.some((other) => other.header.toLowerCase() === header.toLowerCase()))
    return `${where}: there is a second "${cut(header, 80)}"`;
  found.push({ header, path });
  return null;
}

function firstOf<T>(items: readonly T[], look: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}

/** The headers that repeat arguments of a call: those that it has, and that are no objects. */
export function mirroredTexts(
  mirrored: readonly MirroredArgument[],
  args: unknown,
): (readonly [string, string])[] {
  return mirrored.flatMap(({ header, path }) => {
    let value: unknown = args;
    for (const name of path)
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain ? [[header, String(value)] as const] : [];
  });
}
