import { decode, formsOf } from './secret-forms.js';
import { namesSecret } from './secret-names.js';

// What has been taken in so far. A process has one set of secrets, whichever way out a text takes: none can forget to hand them on.
let known = new Map<string, Kept>();
let patterns: Patterns | null = null;

/** How a form is looked for: anywhere, or where no letter or digit, or nothing that words are joined with either, stands beside it. */
type Place = 'anywhere' | 'as a word' | 'as a whole word';

interface Kept {
  readonly place: Place;
  readonly certain: boolean;
}

interface Patterns {
  readonly all: RegExp | null;
  readonly certain: RegExp | null;
  /** Long forms in lower case, for what is cut off in the middle of one. */
  readonly cuttable: readonly { readonly form: string; readonly place: Place }[];
}

/** Where a secret came from: what only may be one is not looked for where it is so short that it would be found in other words. */
export type SecretSource = 'secret' | 'maybe';

// Told to every server by every client; the user's own are shown nowhere, but may well be words of a message.
const publicHeader =
  /^(host|origin|referer|user-agent|accept.*|cache-control|pragma|forwarded|x-forwarded-.*|via|mcp-protocol-version|content-.*)$/i;
const publicText =
  /^(true|false|null|localhost|127\.0\.0\.1|\[?::1\]?|\d{4}-\d\d-\d\d|[\w.+-]+\/[\w.+*-]+|bearer|basic|digest|classic|rmcp|serena|workspace|pymcp)$/i;

const shortest = { secret: 4, maybe: 8 } as const;
// From so many characters on, a text is looked for inside of words, too.
const anywhereFrom = 8;
const shortestCut = 4;
const mostCuts = 50;

/** Keeps a secret out of everything that `redact` is asked about from now on, in each form in which a server may give it back. */
export function keepSecret(value: string, source: SecretSource): void {
  const text = value.trim();
  if (text.length < shortest[source] || publicText.test(text)) return;
  const certain = source === 'secret';
  // `calendar` is found in the names of tools.
  const wordlike = !certain && !/\d/.test(decode(text));
  for (const form of formsOf(text)) {
    if (form.length < shortest[source]) continue;
    const place = wordlike ? 'as a whole word' : form.length >= anywhereFrom ? 'anywhere' : 'as a word';
    const before = known.get(form);
    if (before?.certain || (before !== undefined && !certain)) continue;
    known.set(form, { place, certain });
    patterns = null;
  }
}

/** Does something while the secrets of a URL are kept, and forgets them again: they are hidden in what belongs to that URL alone. */
export function withSecretsOf<Value>(url: string, work: () => Value): Value {
  const [knownBefore, patternsBefore] = [known, patterns];
  known = new Map(known);
  try {
    keepUrl(url);
    return work();
  } finally {
    [known, patterns] = [knownBefore, patternsBefore];
  }
}

/** Keeps the value of a request header, and the parts it is made of: tokens, the values of cookies, the password of Basic. */
export function keepHeader(name: string, value: string): void {
  if (publicHeader.test(name)) return;
  const source = namesSecret(name) ? 'secret' : 'maybe';
  const scheme = /^(bearer|basic|digest|token)\s/i.test(value.trim());
  if (!scheme) keepSecret(value, source);
  for (const part of value.split(/[\s,;]+/)) {
    keepSecret(part, source);
    // A name before it, as in a cookie; not the padding of base64.
    const [, named] = /^[\w.-]+=(.*[^=].*)$/.exec(part) ?? [];
    if (named !== undefined) keepSecret(named.replace(/^"(.*)"$/, '$1'), source);
  }
  const [, basic] = /^basic\s+(\S+)$/i.exec(value.trim()) ?? [];
  if (basic === undefined) return;
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  keepSecret(pair, 'secret');
  keepSecret(pair.slice(pair.indexOf(':') + 1), 'secret');
}

/** Keeps what is secret about a URL: user and password, the values of its query, and segments of its path that look like tokens. */
export function keepUrl(text: string): void {
  const [, userinfo] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(text) ?? [];
  if (userinfo !== undefined) {
    keepSecret(userinfo, 'secret');
    keepSecret(userinfo.slice(userinfo.indexOf(':') + 1), 'secret');
  }
  const [path = '', ...rest] = text.split(/[?#]/);
  for (const segment of path.split('/').filter(looksLikeToken)) keepSecret(segment, 'secret');
  for (const pair of rest.join('&').split('&')) {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
    const source = namesSecret(name) ? 'secret' : 'maybe';
    for (const part of value.split('{session}')) keepSecret(part, source);
  }
}

/** Keeps a private key: each line of it. */
export function keepPem(pem: string): void {
  for (const line of pem.split(/\r?\n/)) if (!line.startsWith('-----')) keepLong(line);
}

/** Keeps the values of an environment whose names say that they are secrets. */
export function keepEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && namesSecret(name)) keepLong(value);
}

/** Keeps what the words of a command say is secret: `--token abc`, `--api-key=abc`, `TOKEN=abc`, and URLs with such. */
export function keepWords(words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    if (word.includes('://')) keepUrl(word);
    const [, name = '', value = words[at + 1] ?? ''] = /^(-*[\w.-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const isOption = name.startsWith('-') || word.includes('=');
    if (isOption && namesSecret(name) && !(value.startsWith('--') && value === words[at + 1]))
      keepLong(value);
  }
}

// A secret, and only where it is so long that it is no everyday word.
function keepLong(value: string): void {
  if (value.trim().length >= shortest.maybe) keepSecret(value, 'secret');
}

/** What stands in a secret's place. */
export const hidden = '***';

// Without the point or the colon that ends a clause. All that may be repeated is bounded: a server's text may be long.
const urlInText = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>`|]*[^\s"'<>`|.,:;!?)]/gi;
// In the query of a path, as an option of a command, or as a variable before it.
const namedValue =
  /([?&]|--|(?<![\w-])(?=[A-Z]))([\w.%[\]-]{1,100})(=| (?<=--[\w-]{1,100} ))([^&#\s"'<>{]+)/g;

// `Bearer authentication` is a sentence's; what follows Basic is base64.
const schemeValue =
  /\b([Bb]earer\s{1,3}(?!auth)|BEARER\s{1,3}|(?:[Bb]asic|BASIC)\s{1,3}(?=[a-z]{0,100}[\dA-Z+/=]))([^\s"'<>`,;{}…*]{12,}(?<![.:]))/g;
// A header that was put where none is taken, as it is repeated; not where it says how to write one.
const quotedHeader =
  /(["'`])([\w.-]{1,100})(\s?:\s{0,3})(?!(?:[a-z]{1,20}\s)?(?:…|\{\{|\$[A-Z_]{1,100}\1))((?!\1)\S(?:(?!\1)[^\n])*)/gi;

/**
 * The one way out for text: a URL is left without user, password, the values of its query, fragment and token-like segments of its path; every
 * secret that has been kept is hidden, in any form, whole or cut off before a `…`; so is what stands where a header has its secret.
 */
export function redact(text: string): string {
  return hideKnown(text.replace(urlInText, redactUrl))
    .replace(namedValue, (whole, before: string, name: string, between: string) =>
      namesSecret(name) && (before !== '' || /^[A-Z\d_]+$/.test(name))
        ? before + name + between + hidden
        : whole,
    )
    .replace(quotedHeader, (whole, quote: string, name: string, between: string) =>
      namesSecret(name) ? quote + name + between + hidden : whole,
    )
    .replace(schemeValue, `$1${hidden}`);
}

/** `redact` for every text in a value of ours; the names of members, and everything else, stay as they are. */
export function redactAll<Value>(value: Value): Value {
  return mapTexts(value, redact, (name) => name);
}

/** The words of a command as they may be shown: without the values of options that are called a secret, however short they are. */
export function printableWords(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const before = words[at - 1] ?? '';
    const follows = /^-+[\w.-]+$/.test(before) && namesSecret(before) && !word.startsWith('-');
    if (follows) return hidden;
    const [, name = '', value] = /^(-*[\w.-]+=)(.*)$/s.exec(word) ?? [];
    return value !== undefined && value !== '' && namesSecret(name) ? name + hidden : redact(word);
  });
}

/** `redactAll` for a value whose members a server has named: names, too. Where two become the same, counts are added up. */
export function redactGiven<Value>(value: Value): Value {
  return mapTexts(value, redact, hideKnown);
}

/** Hides what is certainly a secret in every text in a value, and nothing else: what is told to servers may hold any word. */
export function hideCertain<Value>(value: Value): Value {
  const hide = (text: string): string => {
    const { certain } = compiled();
    return certain === null ? text : text.replace(certain, hidden);
  };
  return mapTexts(value, hide, hide);
}

/** Whether what is certainly a secret stands in a text. */
export function holdsSecret(text: string): boolean {
  return hideCertain(text) !== text;
}

function mapTexts<Value>(
  value: Value,
  change: (text: string) => string,
  rename: (name: string) => string,
): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change, rename)) as Value;
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const renamed = rename(name);
    const [there, now] = [members.get(renamed), mapTexts(member as unknown, change, rename)];
    members.set(renamed, typeof there === 'number' && typeof now === 'number' ? there + now : now);
  }
  return Object.fromEntries(members) as Value;
}

function redactUrl(url: string): string {
  const [whole = '', origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [url];
  if (whole === '' || origin === '') return url;
  const [path = '', query, ...fragments] = rest.split(/(?=[?#])/);
  const parts = [path, query ?? '', ...fragments].map((part) => {
    if (part.startsWith('#')) return `#${hidden}`;
    if (!part.startsWith('?')) return redactPath(part);
    return part.replace(/([?&])([^=&]*=)?([^&]*)/g, (_, before: string, name = '', value: string) =>
      name === '' && value.length < anywhereFrom ? before + value : before + name + maskValue(value),
    );
  });
  return origin.replace(/\/\/.*@/, `//${hidden}@`) + parts.join('');
}

// What the session's number takes the place of is no secret, and says how the target is spoken to.
function maskValue(value: string): string {
  return value === '' || value === '{session}' ? value : hidden;
}

function redactPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (looksLikeToken(segment) ? hidden : segment))
    .join('/');
}

/** Long, and of letters and digits: an id or a key, and no word. */
export function looksLikeToken(segment: string): boolean {
  return /^(?=.*\d)(?=.*[a-z])[\w.~%=+-]{24,}$/i.test(segment);
}

function hideKnown(text: string): string {
  const { all } = compiled();
  return all === null || text === '' ? text : hideCut(text.replace(all, hidden));
}

function compiled(): Patterns {
  return (patterns ??= compile());
}

function compile(): Patterns {
  const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
  return {
    all: anyOf(longestFirst),
    certain: anyOf(longestFirst.filter(([, { certain }]) => certain)),
    cuttable: longestFirst
      .filter(([form]) => form.length >= anywhereFrom)
      .map(([form, { place }]) => ({ form: lowerCase(form), place })),
  };
}

const beside = { anywhere: '', 'as a word': '[A-Za-z0-9]', 'as a whole word': '[\\w-]' } as const;

function anyOf(kept: readonly (readonly [string, Kept])[]): RegExp | null {
  if (kept.length === 0) return null;
  const alternatives = kept.map(([form, { place }]) => {
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    return place === 'anywhere' ? escaped : `(?<!${beside[place]})${escaped}(?!${beside[place]})`;
  });
  return new RegExp(alternatives.join('|'), 'gi');
}

// Texts are cut to a length here and there, with a mark, and what is left of a secret before it is half of it.
function hideCut(text: string): string {
  const lower = lowerCase(text);
  let shown = '';
  let done = 0;
  for (const end of endsOf(text)) {
    const from = Math.max(done, startOfCut(lower, end));
    shown += text.slice(done, from) + (from < end ? hidden : '');
    done = end;
  }
  return shown + text.slice(done);
}

function endsOf(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('…'); at >= 0; at = text.indexOf('…', at + 1)) ends.push(at);
  // We cut a text in one place or two; more are a server's.
  return [...ends.slice(0, mostCuts), ...ends.slice(mostCuts).slice(-mostCuts)];
}

/** Where the beginning of a secret that ends here begins; here, where there is none. */
function startOfCut(text: string, end: number): number {
  let from = end;
  for (const { form, place } of compiled().cuttable) {
    const head = form.slice(0, shortestCut);
    const start = Math.max(0, end - form.length + 1);
    const tail = text.slice(start, end);
    for (let at = tail.indexOf(head); at >= 0; at = tail.indexOf(head, at + 1)) {
      const within = place === 'as a whole word' && /[\w-]/.test(text[start + at - 1] ?? '');
      if (!within && form.startsWith(tail.slice(at))) from = Math.min(from, start + at);
    }
  }
  return from;
}

// Of ASCII alone: other letters may change their length.
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
