import { isAscii } from './ascii.js';
import { parseByteSize, byteSizeExpected } from './byte-size.js';
import { didYouMean } from './did-you-mean.js';
import type { DataRow, JsonValue } from './plan.js';
import { hashSeed, Random } from './random.js';
import { namesSecret } from '../text/secret-names.js';
import { keepSecret } from '../text/secrets.js';

/** What a template is rendered from. The engine keeps one and changes its fields from call to call. */
export interface TemplateContext {
  /** Number of the call, unique over the whole run. */
  seq: number;
  /** Ordinal of the session. */
  session: number;
  /** What all random values depend on. */
  seed: number;
  /** The values of this call. */
  random: Random;
  /** Which row of the data files this call uses, modulo their length. */
  row: number;
  /** Left behind by `render`: JSON text of the `message` string just rendered, quotes included; empty if there is none. */
  echo: string;
}

/** Text that is the same for every call, or a function that makes it. Either way ready to stand in JSON text. */
export type Piece = string | ((context: TemplateContext) => string);

export interface Expression {
  /** Escaped, to stand inside a JSON string. */
  readonly inText: Piece;
  /** The JSON value where the string holds nothing but this expression; null: the text, in quotes. */
  readonly alone: Piece | null;
  readonly varies: Varies;
  /** Nothing but ASCII comes of it; false where that is not known. */
  readonly ascii: boolean;
}

/** From call to call, with the row of the data files only, or not at all. */
export type Varies = 'call' | 'row' | 'never';

export type DataSets = Readonly<Record<string, readonly DataRow[]>>;

const usage = [
  '{{seq}}',
  '{{session}}',
  '{{now}}',
  '{{int 1 20}}',
  '{{float 0 1}}',
  '{{hex 16}}',
  '{{string 100}}',
  '{{bytes 64KB}}',
  '{{uuid}}',
  '{{pick a b c}}',
  '{{env NAME}}',
  '{{data.column}}',
];

type Compile = (words: readonly string[]) => Expression;

const functions: Readonly<Record<string, Compile>> = {
  seq: counter('seq', (context) => String(context.seq)),
  session: counter('session', (context) => String(context.session)),
  now: counter('now', () => String(Date.now())),
  int: (words) => {
    const [min, max] = range('int', words, Number.isSafeInteger, 'two whole numbers, such as {{int 1 20}}');
    return number((context) => String(context.random.int(min, max)));
  },
  float: (words) => {
    const [min, max] = range('float', words, Number.isFinite, 'two numbers, such as {{float 0 1}}');
    return number((context) => String(min + context.random.next() * (max - min)));
  },
  hex: (words) => {
    const digits = size('hex', words, '{{hex 16}}');
    return text((context) => randomHex(context.random, digits));
  },
  string: (words) => randomText('string', words),
  bytes: (words) => randomText('bytes', words),
  uuid: (words) => {
    exactly('uuid', words, 0, 'nothing after it');
    return text((context) => randomUuid(context.random));
  },
  pick,
  env,
};

/** Compiles what stands between `{{` and `}}`. Throws an Error that says what is wrong with it. */
export function compileExpression(source: string, data: DataSets): Expression {
  const trimmed = source.trim();
  const modifier = /^(text|number)\s+(.+)$/s.exec(trimmed);
  if (modifier) return convert(modifier[1]!, modifier[2]!, data);
  const column = /^([A-Za-z_][\w-]*)\.(.+)$/s.exec(trimmed);
  if (column) return dataColumn(column[1]!, column[2]!, data);
  const [name = '', ...words] = splitWords(trimmed);
  if (Object.hasOwn(functions, unquote(name))) return functions[unquote(name)]!(words);
  const names = Object.keys(functions);
  throw new Error(
    `there is no template {{${trimmed}}}${didYouMean(name, names)} (there are: ${usage.join(' ')})`,
  );
}

/** The same text as a JSON string has between its quotes. */
export function escapeText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function text(inText: Piece, varies: Varies = 'call', ascii = true): Expression {
  return { inText, alone: null, varies, ascii };
}

function number(piece: Piece, varies: Varies = 'call'): Expression {
  return { inText: piece, alone: piece, varies, ascii: true };
}

function counter(name: string, piece: (context: TemplateContext) => string): Compile {
  return (words) => {
    exactly(name, words, 0, 'nothing after it');
    return number(piece);
  };
}

function convert(to: string, source: string, data: DataSets): Expression {
  const inner = compileExpression(source, data);
  if (to === 'text') return text(inner.inText, inner.varies, inner.ascii);
  const column = /^([A-Za-z_][\w-]*)\.(.+)$/s.exec(source.trim());
  if (!column) throw new Error(`{{number …}} takes a column of a data file, such as {{number data.age}}`);
  const texts = data[column[1]!]!.map((row, index) => {
    const found = row[column[2]!];
    const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    throw new Error(
      `{{number ${source.trim()}}}: row ${index + 1} of the data has ${JSON.stringify(found)} there, which is no number`,
    );
  });
  return number(byRow(texts), 'row');
}

function dataColumn(set: string, column: string, data: DataSets): Expression {
  if (!Object.hasOwn(data, set)) {
    const names = Object.keys(data);
    const have = names.length === 0 ? 'it has no data:' : `it has: ${names.join(', ')}`;
    throw new Error(
      `{{${set}.${column}}}: the scenario has no data file called "${set}"${didYouMean(set, names)} (${have})`,
    );
  }
  const rows = data[set]!;
  const missing = rows.findIndex((row) => !Object.hasOwn(row, column));
  if (missing >= 0) {
    const columns = Object.keys(rows[missing]!);
    throw new Error(
      `{{${set}.${column}}}: row ${missing + 1} of the data has no column "${column}"${didYouMean(column, columns)} (it has: ${columns.join(', ')})`,
    );
  }
  const values = rows.map((row) => row[column]!);
  const isText = values.every((value) => typeof value === 'string');
  const alone = isText ? null : byRow(values.map((value) => JSON.stringify(value)));
  const texts = values.map(textOf);
  return { inText: byRow(texts), alone, varies: 'row', ascii: texts.every(isAscii) };
}

function byRow(texts: readonly string[]): Piece {
  return (context) => texts[context.row % texts.length]!;
}

function textOf(value: JsonValue): string {
  return escapeText(typeof value === 'string' ? value : JSON.stringify(value));
}

function pick(words: readonly string[]): Expression {
  if (words.length === 0) {
    throw new Error('{{pick}} takes at least one thing to pick from, such as {{pick red green}}');
  }
  const numeric = words.every((word) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(word));
  const texts = words.map((word) => escapeText(unquote(word)));
  const last = texts.length - 1;
  const piece: Piece = (context) => texts[context.random.int(0, last)]!;
  return numeric ? number(piece) : text(piece, 'call', texts.every(isAscii));
}

// Read when the template is compiled, so that no value of the environment stands in the plan or in a result file.
function env(words: readonly string[]): Expression {
  exactly('env', words, 1, 'the name of an environment variable, such as {{env USER}}');
  const value = process.env[words[0]!];
  if (value === undefined) {
    throw new Error(`{{env ${words[0]}}}: the environment variable ${words[0]} is not set`);
  }
  keepSecret(value, namesSecret(words[0]!) ? 'secret' : 'maybe');
  return text(escapeText(value), 'never', isAscii(value));
}

function randomText(name: string, words: readonly string[]): Expression {
  const length = size(name, words, `{{${name} 64KB}}`);
  // Long strings would cost more than the call itself: a fresh start makes each of them unique, the rest is a slice of one pool.
  const freshLength = Math.min(length, 12);
  const restLength = length - freshLength;
  let pool = '';
  return text((context) => {
    const fresh = randomLetters(context.random, freshLength);
    if (restLength === 0) return fresh;
    // The same pool for every call, whichever is the first to need it.
    if (pool === '') pool = randomLetters(new Random(hashSeed(context.seed, length)), restLength + 1024);
    const at = context.random.int(0, 1023);
    return fresh + pool.slice(at, at + restLength);
  });
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const letterPairs = Array.from({ length: 4096 }, (_, i) => letters[i >> 6]! + letters[i & 63]!);
const hexPairs = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

function randomLetters(random: Random, length: number): string {
  let out = '';
  while (out.length < length) {
    const bits = random.uint32();
    out += letterPairs[bits & 4095]! + letterPairs[(bits >>> 12) & 4095]!;
  }
  return out.length === length ? out : out.slice(0, length);
}

function randomHex(random: Random, digits: number): string {
  let out = '';
  while (out.length < digits) out += hex32(random.uint32());
  return out.length === digits ? out : out.slice(0, digits);
}

function hex32(bits: number): string {
  return (
    hexPairs[bits >>> 24]! +
    hexPairs[(bits >>> 16) & 255]! +
    hexPairs[(bits >>> 8) & 255]! +
    hexPairs[bits & 255]!
  );
}

// Version 4, variant 1.
function randomUuid(random: Random): string {
  const a = hex32(random.uint32());
  const b = hex32(((random.uint32() & 0xffff0fff) | 0x4000) >>> 0);
  const c = hex32(((random.uint32() & 0x3fffffff) | 0x80000000) >>> 0);
  const d = hex32(random.uint32());
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

function splitWords(source: string): string[] {
  return source.match(/"[^"]*"|'[^']*'|[^\s]+/g) ?? [];
}

function unquote(word: string): string {
  return /^(".*"|'.*')$/s.test(word) ? word.slice(1, -1) : word;
}

function exactly(name: string, words: readonly string[], count: number, expected: string): void {
  if (words.length !== count) {
    throw new Error(`{{${[name, ...words].join(' ')}}}: {{${name}}} takes ${expected}`);
  }
}

function range(
  name: string,
  words: readonly string[],
  valid: (value: number) => boolean,
  expected: string,
): [number, number] {
  exactly(name, words, 2, expected);
  const [min, max] = words.map(Number) as [number, number];
  const shown = `{{${[name, ...words].join(' ')}}}`;
  if (!valid(min) || !valid(max)) throw new Error(`${shown}: {{${name}}} takes ${expected}`);
  if (min > max) throw new Error(`${shown}: the first number must not be above the second`);
  return [min, max];
}

const maxLength = 64 * 1024 * 1024;

function size(name: string, words: readonly string[], example: string): number {
  exactly(name, words, 1, `a length, such as ${example}`);
  const bytes = parseByteSize(words[0]!);
  if (bytes === null || bytes < 1 || bytes > maxLength) {
    throw new Error(
      `{{${name} ${words[0]}}}: {{${name}}} takes ${byteSizeExpected}, from 1 to 64MiB, such as ${example}`,
    );
  }
  return bytes;
}
