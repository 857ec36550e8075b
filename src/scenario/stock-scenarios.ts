import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../failure.js';
import { didYouMean } from './did-you-mean.js';

/** A scenario that comes with the package. */
export interface StockScenario {
  readonly name: string;
  readonly file: string;
  /** What a run of it answers, in a sentence. */
  readonly question: string;
}

/** The scenarios that come with the package, by name. */
export function stockScenarios(): StockScenario[] {
  const folder = stockFolder();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      return { name: basename(name, '.yaml'), file, question: questionIn(readFileSync(file, 'utf8')) };
    });
}

/** The file of a scenario that was named: the file itself, one of that name with `.yaml` behind it, or else a stock scenario. */
export function findScenario(named: string): string {
  if (isFile(named)) return named;
  const isName = basename(named) === named && extname(named) === '';
  if (isName) {
    const beside = [`${named}.yaml`, `${named}.yml`].find(isFile);
    if (beside !== undefined) return beside;
  }
  const names = readdirSync(stockFolder()).flatMap((file) =>
    file.endsWith('.yaml') ? [basename(file, '.yaml')] : [],
  );
  if (isName && names.includes(named)) return join(stockFolder(), `${named}.yaml`);
  // What is there and cannot be read has a message of its own.
  if (existsSync(named)) return named;
  const stock = basename(named).replace(/\.ya?ml$/, '');
  if (names.includes(stock)) throw new Failure(`${named}: no such file; the stock scenario is "${stock}"`);
  if (!isName) return named;
  const meant = didYouMean(named, [...names, ...filesIn(dirname(named))]);
  throw new Failure(
    `${named}: no such file, and no stock scenario${meant || ` (there are: ${names.join(', ')})`}`,
  );
}

/** The question that a stock scenario opens with, in the comment below the line for editors. */
function questionIn(text: string): string {
  const comment = text
    .split('\n')
    .slice(1)
    .filter((line) => line.startsWith('# '))
    .map((line) => line.slice(2))
    .join(' ');
  return /^[^?]*\?/.exec(comment)?.[0] ?? '';
}

function stockFolder(): string {
  // dist/src/scenario and src/scenario lie at different depths below package.json.
  const folders = ['../../scenarios', '../../../scenarios'].map((up) =>
    fileURLToPath(new URL(up, import.meta.url)),
  );
  const found = folders.find((folder) => existsSync(join(folder, 'smoke.yaml')));
  if (found === undefined) throw new Error('the scenarios of mcp-bench are not where they belong');
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
