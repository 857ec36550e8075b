import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../failure.js';
import { readResult } from '../../result/read-result.js';
import type { RunResult } from '../../result/result.js';

/** A stored result and where it came from. */
export interface StoredResult {
  path: string;
  result: RunResult;
}

/** Reads the results that were named; of a folder all that it holds, of which there must be one. */
export function readResults(paths: readonly string[]): StoredResult[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [{ path, result: readResult(path) }];
    const found = readResultsIn(path);
    if (found.length === 0)
      throw new Failure(`${path} holds no result: \`mcp-bench run\` writes them to results/.`);
    return found;
  });
}

/** All results in a folder, by name; other files are passed over, a missing folder is an empty one. */
export function readResultsIn(folder: string): StoredResult[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
    .filter(looksLikeResult)
    .map((path) => ({ path, result: readResult(path) }));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A result says what it is in its first line: no need to read megabytes of something else. */
function looksLikeResult(path: string): boolean {
  const start = Buffer.alloc(256);
  const file = openSync(path, 'r');
  try {
    return start.toString('utf8', 0, readSync(file, start)).includes('"mcp-bench/result@');
  } finally {
    closeSync(file);
  }
}
