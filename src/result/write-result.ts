import { join } from 'node:path';
import type { RunResult } from './result.js';
import { writeFileWhole, writeNewFile } from './write-file.js';
import { printableJson } from '../text/one-line.js';

/**
 * Writes a result, whole, and returns where it is: `path` is replaced if it exists; without it the file is
 * `<folder>/<name>-<time>.json`, with a counter where that exists already.
 */
export function writeResult(result: RunResult, where: { path?: string; folder?: string } = {}): string {
  const text = resultText(result);
  if (where.path === undefined) return writeNewFile(defaultPaths(result, where.folder ?? 'results'), text);
  writeFileWhole(where.path, text);
  return where.path;
}

/** The result as JSON with one line per top-level key and per interval: small, and yet fit to look at and to diff. */
export function resultText(result: RunResult): string {
  const lines = Object.entries(result)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        `${JSON.stringify(key)}: ${Array.isArray(value) ? listText(value) : JSON.stringify(value)}`,
    );
  return printableJson(`{\n${lines.join(',\n')}\n}\n`);
}

function listText(list: unknown[]): string {
  if (list.length === 0) return '[]';
  return `[\n  ${list.map((item) => JSON.stringify(item)).join(',\n  ')}\n]`;
}

function* defaultPaths(result: RunResult, folder: string): Generator<string> {
  const time = result.startedAt.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const stem = `${fileName(result.name)}-${time}`;
  yield join(folder, `${stem}.json`);
  for (let counter = 2; ; counter++) yield join(folder, `${stem}-${counter}.json`);
}

function fileName(name: string): string {
  const safe = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return safe.slice(0, 80) || 'run';
}
