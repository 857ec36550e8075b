import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { Document, Node } from 'yaml';
import { Failure } from '../failure.js';
import { didYouMean } from './did-you-mean.js';
import type { Place, Problem } from './problem.js';
import type { Source } from './source.js';

/** Reads a YAML file whole, or throws a Failure that names the file, the line and what is wrong with it. */
export function readYamlSource(file: string): Source {
  return parseYamlSource(file, readText(file));
}

/** The same for text at hand. */
export function parseYamlSource(file: string, text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    logLevel: 'error',
  });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw new Failure(`${at(fault.pos[0])}: ${explain(fault.code, fault.message)}`);
  refuseUnquotedTemplates(document, text, at);
  refuseUnknownAliases(document, at);
  return {
    name: file,
    folder: dirname(file),
    value: document.toJS(),
    locate: (problem) => locate(document, text, problem, at),
  };
}

/** The text of a file the user named; every way in which that can fail is one line. */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Failure(`${file}: ${unreadable(file, error as NodeJS.ErrnoException)}`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // said below
  }
  throw new Failure(`${file}: expected a text file in UTF-8, found other bytes`);
}

function unreadable(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `no such file${siblings(file)}`;
  if (error.code === 'EISDIR') return 'expected a file, found a directory';
  if (error.code === 'EACCES') return 'may not be read: permission denied';
  return `cannot be read: ${error.message}`;
}

function siblings(file: string): string {
  try {
    return didYouMean(basename(file), readdirSync(dirname(file)));
  } catch {
    return '';
  }
}

function explain(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'this key stands twice in the same map';
  if (code === 'TAB_AS_INDENT') return 'expected spaces, found a tab: YAML is not indented with tabs';
  if (code === 'MULTIPLE_DOCS') return 'expected one document, found a second one after ---';
  return `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

// `ms: {{int 1 20}}` without quotes is, to YAML, a map with a map for a key.
function refuseUnquotedTemplates(document: Document, text: string, at: (offset: number) => string): void {
  visit(document, {
    Pair: (_, pair) => {
      if (!isCollection(pair.key)) return;
      const [start, end] = pair.key.range!;
      if (!isMap(pair.key)) throw new Failure(`${at(start)}: expected a plain key, found a list`);
      throw new Failure(
        `${at(start)}: a template needs quotes: write "{${text.slice(start, end)}}", not {${text.slice(start, end)}}`,
      );
    },
  });
}

function refuseUnknownAliases(document: Document, at: (offset: number) => string): void {
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      throw new Failure(`${at(alias.range![0])}: there is no anchor &${alias.source} above this`);
    },
  });
}

function locate(document: Document, text: string, problem: Problem, at: (offset: number) => string): Place {
  const path: (string | number)[] = [];
  let node: unknown = document.contents;
  for (const step of problem.path) {
    // A list of one may be written as that one alone.
    if (step === 0 && !isSeq(node)) continue;
    const next: unknown = isMap(node) || isSeq(node) ? node.get(step, true) : undefined;
    if (!isNode(next)) break;
    node = isAlias(next) ? (next.resolve(document) ?? next) : next;
    path.push(step);
  }
  const offset = isNode(node) ? offsetIn(node, text, problem) : 0;
  return { at: at(offset), path, offset };
}

function offsetIn(node: Node, text: string, { key, text: part }: Problem): number {
  const [start, end] = node.range!;
  if (key !== undefined && isMap(node)) {
    const pair = node.items.find(({ key: found }) => isScalar(found) && String(found.value) === key);
    if (pair && isNode(pair.key)) return pair.key.range![0];
  }
  const within = part === undefined ? -1 : text.slice(start, end).indexOf(part);
  return within < 0 ? start : start + within;
}
