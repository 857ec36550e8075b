import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, LineCounter, parse, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { Failure } from '../../src/failure.js';
import { configProblem } from './config-problem.js';
import { configSchema } from './config.js';
import type { MockConfig, MockConfigInput } from './config.js';
import { presets } from '../protocol/presets.js';

/** One setting from the command line: where it goes, what it is, and the flag as it was typed. */
export interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly flag: string;
}

/**
 * Reads the configuration file, lays it over a base and the overrides over both, and checks the whole; throws a Failure that says where. Of tools,
 * prompts and resources the base's are added to the file's.
 */
export function loadConfig(
  file: string | undefined,
  overrides: readonly Override[],
  base: MockConfigInput = {},
): MockConfig {
  const read = file === undefined ? undefined : readYaml(file);
  const value: unknown = read ? structuredClone(read.document.toJS()) : {};
  const whole = (value ?? {}) as Record<string, unknown>;
  if (read && !isPlainObject(whole)) throw new Failure(`${file}:1: expected a mapping of settings`);
  if (file !== undefined) anchorFiles(whole, dirname(file));
  layUnder(whole, structuredClone(base) as Record<string, unknown>);
  for (const override of overrides) put(whole, override);
  return checkConfig(whole, (path) => {
    const flag = overrides.findLast((override) => overlap(override.path, path))?.flag;
    if (flag !== undefined) return flag;
    return read ? `${file}:${lineOf(read.document, read.lines, path)}` : 'configuration';
  });
}

/** Checks a configuration; `where` says what the message about a mistake at a path starts with. */
export function checkConfig(value: unknown, where: (path: readonly PropertyKey[]) => string): MockConfig {
  const checked = configSchema.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0]!;
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
    throw new Failure(`${where(path)}: ${configProblem(issue, value)}`);
  }
  const { dialect, like } = checked.data;
  const spoken = like === undefined ? dialect : presets[like].dialect;
  if (dialect !== undefined && dialect !== spoken)
    throw new Failure(
      `${where(['like'])}: like: ${like} speaks ${dialect === 'all' ? 'one dialect' : spoken} and cannot be had with dialect: ${dialect}; leave one of them out`,
    );
  return checked.data;
}

/** Reads `path=value` of the command line; the value is YAML, and `\.` is a dot inside a key. */
export function parseSetting(text: string, flag: string): Override {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure(`${flag} ${text}: expected path=value, such as wire.lineEnding=crlf`);
  const path = text
    .slice(0, at)
    .split(/(?<!\\)\./)
    .map((key) => key.replaceAll('\\.', '.'));
  let value: unknown;
  try {
    value = parse(text.slice(at + 1));
  } catch (error) {
    throw new Failure(
      `${flag} ${text}: the value is not understood: ${(error as Error).message.split('\n')[0]}`,
    );
  }
  return { path, value, flag: `${flag} ${text}` };
}

// A mistake may lie inside what a flag has set, or be that a flag has set something inside of it.
function overlap(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).every((key, at) => key === other[at]);
}

function readYaml(file: string): { document: Document.Parsed; lines: LineCounter } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`cannot read the configuration ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error)
    throw new Failure(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`);
  return { document, lines };
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  // What is missing has no line of its own: then the nearest thing around it.
  for (let depth = path.length; depth > 0; depth--) {
    const around = document.getIn(path.slice(0, depth - 1), true);
    const owner = depth === 1 ? document.contents : around;
    const pair = isMap(owner)
      ? owner.items.find(({ key }) => String(key) === String(path[depth - 1]))
      : undefined;
    const node = (pair?.key ?? document.getIn(path.slice(0, depth), true)) as
      | { range?: [number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

// A file(…) in a configuration lies beside the configuration.
function anchorFiles(value: Record<string, unknown>, folder: string): void {
  const anchored = (text: unknown): unknown =>
    typeof text === 'string'
      ? text.replace(/^\s*file\(\s*(.+?)\s*\)\s*$/, (_, path: string) => `file(${resolve(folder, path)})`)
      : text;
  value['latency'] = anchored(value['latency']);
  if (value['latency'] === undefined) delete value['latency'];
  if (!isPlainObject(value['tools'])) return;
  for (const tool of Object.values(value['tools']))
    if (isPlainObject(tool) && tool['latency'] !== undefined) tool['latency'] = anchored(tool['latency']);
}

function layUnder(whole: Record<string, unknown>, base: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(base)) {
    const own = whole[key];
    whole[key] = isPlainObject(value) && isPlainObject(own) ? { ...value, ...own } : (own ?? value);
  }
}

function put(whole: Record<string, unknown>, { path, value, flag }: Override): void {
  let at = whole;
  for (const key of path.slice(0, -1)) {
    const next = (at[key] ??= {});
    if (!isPlainObject(next)) throw new Failure(`${flag}: ${key} is not a group of settings`);
    at = next;
  }
  at[path.at(-1)!] = value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
