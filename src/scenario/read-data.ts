import { isAbsolute, join } from 'node:path';
import { Failure } from '../failure.js';
import { readDataFile } from './data-file.js';
import type { DataRow } from './plan.js';
import type { Problem } from './problem.js';
import { hashSeed, Random } from './random.js';
import type { Scenario } from './schema.js';
import type { DataSets } from './template-expression.js';

/** The rows of all data files of a scenario, in the order they will be used. */
export function readData(
  scenario: Scenario,
  folder: string,
  seed: number,
  report: (problem: Problem) => void,
): DataSets {
  const sets: Record<string, readonly DataRow[]> = {};
  for (const [name, { file, order }] of Object.entries(scenario.data ?? {})) {
    const path = ['data', name];
    if (!/^[A-Za-z_][\w-]*$/.test(name)) {
      report({ path, key: name, message: `expected a name of letters, digits, _ and -, found "${name}"` });
      continue;
    }
    try {
      const rows = readDataFile(isAbsolute(file) ? file : join(folder, file));
      sets[name] = order === 'shuffled' ? shuffle(rows, new Random(hashSeed(seed, rows.length))) : rows;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      report({ path, message: error.message });
    }
  }
  return sets;
}

function shuffle<Item>(items: Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.int(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
