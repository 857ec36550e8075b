import type { JsonSchema } from './json-schema.js';
import { textForPattern } from './text-for-pattern.js';

// Nothing here leads off this machine: a tool that fetches a URL would be made to fetch it a thousand times.
const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2024-01-31T12:00:00Z',
  date: '2024-01-31',
  time: '12:00:00Z',
  duration: 'PT1S',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'localhost',
  'idn-hostname': 'localhost',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'http://127.0.0.1/',
  url: 'http://127.0.0.1/',
  iri: 'http://127.0.0.1/',
  'uri-reference': '/example',
  'iri-reference': '/example',
  'uri-template': 'http://127.0.0.1/{id}',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/example',
  'relative-json-pointer': '0',
  regex: '^a$',
  byte: 'ZXhhbXBsZQ==',
};
const byName: [RegExp, string][] = [
  [/^(url|uri|link|href)$|_ur[il]$/, 'http://127.0.0.1/'],
  [/e?mail/, 'someone@example.com'],
  [/(^|_)(host|hostname)$/, 'localhost'],
  [/(^|_)date$/, '2024-01-31'],
  [/(^|_)(path|file|filename)$/, 'example.txt'],
  [/^(city|location|place)$/, 'Berlin'],
  [/^(lang|language|locale)$/, 'en'],
  [/^(tz|timezone|time_zone)$/, 'UTC'],
  [/(^|_)id$/, '1'],
];
// Texts whose wording makes no difference to a tool: they may differ from call to call, so that no cache answers.
const free =
  /^(message|msg|text|content|input|prompt|query|q|question|body|data|value|note|comment|sentence)$/;
const freeLength = 24;

/** A text that a schema accepts, as far as one can tell; with a doubt where one cannot. */
export function sampleText(
  schema: JsonSchema,
  name: string,
  varied: boolean,
): { text: string; doubt: string | null } {
  const least = schema.minLength ?? 0;
  const most = schema.maxLength ?? Infinity;
  const { pattern } = schema;
  const formatted = byFormat[schema.format ?? (schema.contentEncoding === 'base64' ? 'byte' : '')];
  // Libraries write a pattern beside the format that it stands for.
  if (formatted !== undefined && (pattern === undefined || matches(pattern, formatted))) {
    if (schema.format === 'uuid' && varied) return { text: '{{uuid}}', doubt: null };
    return fitting(formatted, least, most);
  }
  if (pattern !== undefined) return byPattern(pattern, least, most, varied);
  const lower = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const named = byName.find(([names]) => names.test(lower))?.[1];
  if (named !== undefined && named.length >= least && named.length <= most)
    return { text: named, doubt: null };
  if (varied && free.test(lower)) return { text: freeText(least, most), doubt: null };
  return { text: stretched('example', least, most), doubt: null };
}

function byPattern(
  pattern: string,
  least: number,
  most: number,
  varied: boolean,
): { text: string; doubt: string | null } {
  const text = textForPattern(pattern, least);
  if (text === null || text.length > most)
    return {
      text: stretched('example', least, most),
      doubt: `nothing was found to match the pattern ${pattern}`,
    };
  return { text: varied ? text.replaceAll('{{', '{{{{') : text, doubt: null };
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function fitting(text: string, least: number, most: number): { text: string; doubt: string | null } {
  const fits = text.length >= least && text.length <= most;
  return { text, doubt: fits ? null : `"${text}" has not the length that the schema asks for` };
}

function freeText(least: number, most: number): string {
  if (least > freeLength) return `{{string ${least}}}`;
  if (most < freeLength) return most < 1 ? '' : `{{string ${Math.max(1, least, Math.min(most, 8))}}}`;
  // Whatever the number of the call, its length stays within a template that is fixed: the rest fills up.
  return least === 0 && most === Infinity ? '{{seq}} {{hex 16}}' : `{{string ${Math.max(least, 16)}}}`;
}

function stretched(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text.repeat(Math.ceil(least / text.length)).slice(0, least);
  return long.length > most ? long.slice(0, most) : long;
}
