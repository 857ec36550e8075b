import { cut } from '../text/cut.js';
import { acceptsText } from './accepts-text.js';
import type { JsonSchema } from './json-schema.js';
import type { SampleBudget } from './sample-budget.js';
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
const mostByPattern = 65_536;

/** A text, with a doubt where it may not be what the schema wants. */
export interface SampledText {
  readonly text: string;
  readonly doubt: string | null;
}

/** A text that a schema accepts, as far as one can tell; throws SchemaTooLarge where the budget has not room for it. */
export function sampleText(
  schema: JsonSchema,
  name: string,
  varied: boolean,
  budget: SampleBudget,
): SampledText {
  const least = Math.ceil(schema.minLength ?? 0);
  const most = Math.floor(schema.maxLength ?? Infinity);
  budget.text(least);
  const { pattern } = schema;
  const format = schema.format ?? (schema.contentEncoding === 'base64' ? 'byte' : '');
  const formatted = Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  // Libraries write a pattern beside the format that it stands for.
  if (formatted !== undefined && (pattern === undefined || matches(pattern, formatted, budget))) {
    if (schema.format === 'uuid' && varied) return { text: '{{uuid}}', doubt: null };
    return fitting(formatted, least, most);
  }
  if (pattern !== undefined) return byPattern(pattern, least, most, varied, budget);
  // A name that is longer than any is named for nothing.
  const lower = name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
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
  budget: SampleBudget,
): SampledText {
  beforeChecking(pattern, budget);
  const text = textForPattern(pattern, least, {
    mostCharacters: mostByPattern,
    onSlow: () => budget.slowPattern(pattern),
  });
  if (text === null || text.length > most)
    return {
      text: stretched('example', least, most),
      doubt: `nothing was found to match the pattern ${cut(pattern, 100)}`,
    };
  return { text: varied ? text.replaceAll('{{', '{{{{') : text, doubt: null };
}

function matches(pattern: string, text: string, budget: SampleBudget): boolean {
  beforeChecking(pattern, budget);
  const accepted = acceptsText(pattern, text);
  return accepted === 'slow' ? budget.slowPattern(pattern) : accepted === true;
}

function beforeChecking(pattern: string, budget: SampleBudget): void {
  budget.step(Math.min(pattern.length, 10_000));
  budget.checkPatterns();
}

function fitting(text: string, least: number, most: number): SampledText {
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
