import { Failure } from '../failure.js';

export type Path = readonly (string | number)[];

/** One thing that is wrong with a scenario, and where. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Points at this key of the map at `path` instead of the map. */
  readonly key?: string;
  /** Points at these characters within the text at `path`. */
  readonly text?: string;
}

/** Where a problem stands. */
export interface Place {
  readonly at: string;
  /** As much of the path as is really there. */
  readonly path: Path;
  /** What comes first is reported first. */
  readonly offset: number;
}

/** Throws one Failure with a line for each problem, if there are any. */
export function failOnProblems(problems: readonly Problem[], locate: (problem: Problem) => Place): void {
  if (problems.length === 0) return;
  const placed = problems.map((problem) => ({ ...locate(problem), message: problem.message }));
  placed.sort((a, b) => a.offset - b.offset);
  const lines = placed.map(
    ({ at, path, message }) => `${at}: ${path.length === 0 ? '' : `${showPath(path)}: `}${message}`,
  );
  throw new Failure([...new Set(lines)].slice(0, 10));
}

/** A value as messages show it. */
export function showFound(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  // JSON would turn NaN and Infinity into null.
  if (typeof value === 'number') return String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…"`;
}

function showPath(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}
