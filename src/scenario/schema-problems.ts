import type { z } from 'zod';
import { didYouMean, nearest } from './did-you-mean.js';
import { showFound } from './problem.js';
import type { Path, Problem } from './problem.js';

type Issue = z.core.$ZodIssue;

/** What zod found wrong with a value, as problems that say what was expected and what was found. */
export function schemaProblems(error: z.ZodError, value: unknown): Problem[] {
  const problems = error.issues.flatMap((issue) => problemsOf(issue, [], value));
  // A key that was misspelt is not missing as well.
  const misspelt = new Set(problems.map(({ path, meant }) => meant && JSON.stringify([...path, meant])));
  return problems.filter(
    ({ path, missing }) => !missing || !misspelt.has(JSON.stringify([...path, missing])),
  );
}

interface SchemaProblem extends Problem {
  readonly missing?: string;
  readonly meant?: string;
}

function problemsOf(issue: Issue, above: Path, value: unknown): SchemaProblem[] {
  const path = [...above, ...(issue.path as Path)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(key, path, issue.message));
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => problemsOf(inner, path, value));
  }
  const found = lookUp(value, path);
  if (found === undefined && path.length > 0) {
    const key = String(path.at(-1));
    return [{ path: path.slice(0, -1), missing: key, message: `"${key}" is missing: ${issue.message}` }];
  }
  const meant = typeof found === 'string' ? didYouMean(found, wordsOf(issue)) : '';
  return [{ path, message: `${issue.message}, found ${showFound(found)}${meant}` }];
}

function unknownKey(key: string, path: Path, knownKeys: string): SchemaProblem {
  const meant = nearest(key, knownKeys.split(', '));
  const message = `unknown key "${key}"`;
  if (meant === null) return { path, key, message: `${message}: expected one of ${knownKeys}` };
  return { path, key, meant, message: `${message}; did you mean "${meant}"?` };
}

// Of the forms that a value may have, the one whose kind it is: its mistakes lie deeper, and are the ones worth telling.
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const deeper = branches
    .map((issues) =>
      issues.flatMap((issue) =>
        issue.code === 'invalid_union' && issue.path.length === 0
          ? (meantBranch(issue.errors) ?? issue)
          : issue,
      ),
    )
    .filter((issues) => issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'));
  return deeper.length === 1 ? deeper[0]! : null;
}

function wordsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union') return [];
  const listed = /^expected one of (.+)$/.exec(issue.message);
  if (listed) return listed[1]!.split(', ');
  return issue.errors.flat().flatMap((inner) => (inner.path.length === 0 ? wordsOf(inner) : []));
}

function lookUp(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}
