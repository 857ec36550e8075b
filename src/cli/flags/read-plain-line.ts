import type { Argv, Options } from 'yargs';
import Parser from 'yargs-parser';
import { DeclaredFlags } from './declared-flags.js';

/** A command line as yargs hands it to a command. */
export interface Given {
  readonly [flag: string]: unknown;
  readonly _: readonly string[];
  readonly $0: string;
}

/**
 * Reads the words behind a command with yargs' own parser. Null where yargs has something to say about them, such as help or a mistake. Most of yargs is for
 * saying that, and loading it is a quarter of a dry run (`npm run bench:start`).
 */
export function readPlainLine(
  usage: string,
  builder: (yargs: Argv<object>) => unknown,
  words: readonly string[],
): Given | null {
  // yargs looks for these before it knows the command's flags, and so finds them among their values, too.
  if (words.some((word) => /^(help$|-h|--help|--version)/.test(word))) return null;
  // Maps, of which no command has any, are read in two passes by yargs.
  if (words.some((word) => /^-[^=]*\./.test(word))) return null;
  const { options } = new DeclaredFlags(builder);
  const { argv, error } = Parser.detailed([...words], parserOptions(options));
  if (error !== null) return null;
  const { _: rest, ...flags } = argv;
  const known = new Set([...options].flatMap(([name, { alias }]) => spellings(name, alias)));
  if (Object.keys(flags).some((name) => !known.has(name))) return null;
  if ([...options].some(([name, { choices }]) => !allowed(flags[name], choices))) return null;
  const named = takePositionals(usage, rest.map(String));
  return named === null ? null : { ...flags, ...named, _: [], $0: 'mcp-bench' };
}

// As yargs puts them together.
function parserOptions(declared: ReadonlyMap<string, Options>): Parser.Options {
  const all = [...declared];
  const ofType = (type: Options['type']): string[] =>
    all.filter(([, given]) => given.type === type).flatMap(([name, { alias }]) => [name, ...listed(alias)]);
  const each = <Value>(read: (given: Options) => Value | undefined): Record<string, Value> =>
    Object.fromEntries(
      all.flatMap(([name, given]) => {
        const value = read(given);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const options = {
    key: each(() => true),
    alias: each(({ alias }) => listed(alias)),
    array: all.filter(([, { array }]) => array).map(([name]) => name),
    boolean: ofType('boolean'),
    number: ofType('number'),
    string: ofType('string'),
    narg: each(({ nargs, requiresArg }) => nargs ?? (requiresArg ? Number.NaN : undefined)),
    default: each((given) => given.default as unknown),
    configuration: { 'parse-positional-numbers': false, 'populate--': true },
  };
  return options;
}

function listed(alias: Options['alias']): string[] {
  return alias === undefined ? [] : [alias].flat();
}

function spellings(name: string, alias: Options['alias']): string[] {
  return [name, ...listed(alias)].flatMap((each) => [each, Parser.camelCase(each)]);
}

function allowed(value: unknown, choices: Options['choices']): boolean {
  if (choices === undefined || value === undefined) return true;
  return [value].flat().every((each) => choices.includes(each as string));
}

/** The words that are no flags under the names that the usage gives them; null where there are too few or too many, or one could be a flag. */
function takePositionals(usage: string, words: readonly string[]): Record<string, unknown> | null {
  if (words.some((word) => word === '' || word.startsWith('-'))) return null;
  const named: Record<string, unknown> = {};
  let left = words;
  for (const [, bracket, name, dots] of usage.matchAll(/([<[])([\w-]+)(\.\.)?[>\]]/g)) {
    if (left.length === 0 && bracket === '<') return null;
    const taken = dots === undefined ? left.slice(0, 1) : left;
    if (taken.length > 0) named[name!] = dots === undefined ? taken[0] : taken;
    left = left.slice(taken.length);
  }
  return left.length === 0 ? named : null;
}
