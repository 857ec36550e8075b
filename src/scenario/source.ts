import type { Path, Place, Problem } from './problem.js';

/** Where a scenario comes from: its value, and the way back from a path in it to a place that a person can look at. */
export interface Source {
  /** What messages call it. */
  readonly name: string;
  /** Data files and certificates are found from here. */
  readonly folder: string;
  readonly value: unknown;
  locate(problem: Problem): Place;
}

/** A scenario that a program made instead of reading it from a file. */
export function objectSource(value: unknown, folder: string = process.cwd()): Source {
  return {
    name: 'scenario',
    folder,
    value,
    locate: ({ path }) => ({ at: 'scenario', path: pathWithin(value, path), offset: 0 }),
  };
}

function pathWithin(value: unknown, path: Path): Path {
  const found: (string | number)[] = [];
  let here = value;
  for (const step of path) {
    // A list of one may be written as that one alone.
    if (step === 0 && !Array.isArray(here)) continue;
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) break;
    here = (here as Record<string | number, unknown>)[step];
    found.push(step);
  }
  return found;
}
