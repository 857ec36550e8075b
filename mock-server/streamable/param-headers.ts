import type { InputSchema } from '../tools/tool.js';

/** An argument of a tool that its callers have to repeat in a header. */
export interface ParamHeader {
  /** What follows `Mcp-Param-`, in small letters. */
  readonly header: string;
  readonly path: readonly string[];
}

const deepest = 8;

/** The arguments of a tool that are marked with `x-mcp-header`, wherever they lie. */
export function paramHeadersOf(schema: InputSchema): ParamHeader[] {
  const found: ParamHeader[] = [];
  walk(schema, [], found);
  return found;
}

/** The value of an argument as the header has to give it; undefined where it has none, and no header either. */
export function headerValueOf(args: Record<string, unknown>, path: readonly string[]): string | undefined {
  let value: unknown = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Whether a header says what the body does: as it is, in base64, or as another form of the same number. */
export function headerSays(header: string, value: string): boolean {
  if (header === value) return true;
  const decoded = decodedHeader(header);
  return (
    decoded === value ||
    (decoded !== '' && /^-?\d+(\.\d+)?$/.test(value) && Number(decoded) === Number(value))
  );
}

/** A header value with its base64 form taken off; '' where that is malformed. */
export function decodedHeader(header: string): string {
  if (!header.startsWith('=?base64?') || !header.endsWith('?=')) return header;
  const text = header.slice('=?base64?'.length, -2);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return '';
  return Buffer.from(text, 'base64').toString();
}

function walk(schema: unknown, path: string[], found: ParamHeader[]): void {
  if (typeof schema !== 'object' || schema === null || path.length > deepest) return;
  const { properties, 'x-mcp-header': header } = schema as Record<string, unknown>;
  if (typeof header === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(header) && path.length > 0)
    found.push({ header: header.toLowerCase(), path });
  if (typeof properties !== 'object' || properties === null) return;
  for (const [key, one] of Object.entries(properties)) walk(one, [...path, key], found);
}
