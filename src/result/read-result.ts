import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Failure } from '../failure.js';
import { didYouMean } from '../scenario/did-you-mean.js';
import type { RunResult } from './result.js';
import { resultSchema } from './result.js';
import { printableTargetInfo } from './printable-target-info.js';
import { redact, redactAll, withSecretsOf } from '../text/secrets.js';

const read = new Set<string>();

/** The files that `readResult` has read. */
export function resultsRead(): readonly string[] {
  return [...read];
}

/**
 * Reads a stored result; what is wrong with the file is a Failure that says what and what to do. Only the outlines are looked at: `damagedResult` looks
 * closer where something fails.
 */
export function readResult(path: string): RunResult {
  const value = parse(path, textOf(path));
  checkSchema(path, value);
  checkShape(path, value);
  read.add(path);
  const result =
    value.schema === resultSchema
      ? (value as unknown as RunResult)
      : fromVersion1(value as unknown as RunResultVersion1);
  return withoutUrlSecrets({ ...result, target: { ...targetBefore, ...result.target } });
}

// What results did not say of their target while there was one transport.
const targetBefore = { transport: 'sse', era: 'sessions', bodies: [] } as const;

// Results of older versions have the whole URL in them, and what servers gave back of it; to other results its values are just words.
function withoutUrlSecrets(result: RunResult): RunResult {
  const { target, scenario, examples } = result;
  return withSecretsOf(target.url ?? '', () => ({
    ...result,
    target: printableTargetInfo(target),
    scenario:
      typeof scenario.target?.url === 'string'
        ? { ...scenario, target: { ...scenario.target, url: redact(scenario.target.url) } }
        : scenario,
    examples: redactAll(examples),
  }));
}

const version1 = 'mcp-bench/result@1';

/** What was different in `mcp-bench/result@1`: thresholds held or did not, and nothing was known of the ends of a figure. */
type RunResultVersion1 = Omit<RunResult, 'schema' | 'thresholds'> & {
  thresholds: (Omit<RunResult['thresholds'][number], 'state'> & { pass: boolean })[];
};

function fromVersion1({ thresholds, ...same }: RunResultVersion1): RunResult {
  return {
    ...same,
    schema: resultSchema,
    thresholds: thresholds.map(({ pass, ...each }) => ({ ...each, state: pass ? 'pass' : 'fail' })),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT')
      throw new Failure(
        `${path}: no such file${meantBy(path)}. \`mcp-bench run\` writes results to results/.`,
      );
    if (code === 'EISDIR') throw new Failure(`${path} is a folder: give the path of a result file.`);
    if (code === 'EACCES') throw new Failure(`${path}: no permission to read it.`);
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function meantBy(path: string): string {
  try {
    return didYouMean(basename(path), readdirSync(dirname(path)));
  } catch {
    return '';
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  if (text.trim() === '') throw new Failure(`${path} is empty: it is no result of mcp-bench.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (isCutOff(text))
      throw new Failure(`${path} is cut off: the end of it is missing. Copy it again, or repeat the run.`);
    throw new Failure(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(value)) throw new Failure(`${path} is JSON, but no result of mcp-bench.`);
  return value;
}

/** A result is one object: text that begins as one and does not end as one has lost its end. */
function isCutOff(text: string): boolean {
  return text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
}

function checkSchema(path: string, value: Record<string, unknown>): void {
  if (value.schema === resultSchema || value.schema === version1) return;
  const [family, version] = resultSchema.split('@');
  const said = typeof value.schema === 'string' ? value.schema : '';
  if (!said.startsWith(`${family}@`))
    throw new Failure(
      `${path} is no result of mcp-bench: its "schema" is ${said ? JSON.stringify(said) : 'missing'}, expected "${resultSchema}".`,
    );
  const newer = Number(said.slice(said.indexOf('@') + 1)) > Number(version);
  throw new Failure(
    `${path} has the format ${said}, and this mcp-bench reads ${resultSchema}: ` +
      (newer ? 'update mcp-bench.' : 'repeat the run with this version.'),
  );
}

const kinds: Record<string, 'string' | 'number' | 'object' | 'list'> = {
  name: 'string',
  startedAt: 'string',
  durationMs: 'number',
  scenario: 'object',
  scenarioHash: 'string',
  target: 'object',
  environment: 'object',
  validity: 'object',
  findings: 'list',
  ended: 'string',
  sessions: 'object',
  totals: 'object',
  metrics: 'object',
  phases: 'list',
  operations: 'list',
  intervals: 'list',
  generator: 'object',
  examples: 'object',
  thresholds: 'list',
};

function checkShape(path: string, value: Record<string, unknown>): void {
  for (const [key, kind] of Object.entries(kinds)) {
    const found = value[key];
    const fits =
      kind === 'object' ? isRecord(found) : kind === 'list' ? Array.isArray(found) : typeof found === kind;
    if (!fits) throw damaged(path, `"${key}" ${found === undefined ? 'is missing' : `is not a ${kind}`}`);
  }
  const { url = '' } = value.target as Record<string, unknown>;
  if (typeof url !== 'string') throw damaged(path, '"target.url" is not a string');
  if (!isRecord((value.totals as Record<string, unknown>).outcomes))
    throw damaged(path, '"totals.outcomes" is missing');
  for (const [name, metric] of Object.entries(value.metrics as Record<string, unknown>))
    if (!isRecord(metric) || typeof metric.count !== 'number')
      throw damaged(path, `the metric "${name}" has no count`);
}

/** What is said of a file that is a result, and not a whole one. */
export function damaged(path: string, what: string): Failure {
  return new Failure(`${path} is a damaged result: ${what}. Was it edited by hand? Repeat the run.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
