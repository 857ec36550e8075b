import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
  with?: Record<string, string | boolean>;
}

interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

/** Where a job runs: its workspace, the runner's own folder, and the artifacts of the repository, by name. */
export interface Job {
  workspace: string;
  temp: string;
  artifacts: string;
  env: Record<string, string>;
}

/** What came of the action, as a workflow sees it. */
export interface ActionOutcome {
  exitCode: number;
  log: string;
  summary: string;
  outputs: Record<string, string>;
}

/** Runs action.yml step by step with bash, as the runner does; actions that it uses are stood in for by copying artifacts. */
export async function runAction(job: Job, given: Record<string, string>): Promise<ActionOutcome> {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
  const token = { github: { token: 'secret-token' } };
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [
      name,
      given[name] ?? fill(value, token),
    ]),
  );
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const context = { inputs, steps, ...token };
  const summaryFile = join(job.temp, 'summary.md');
  writeFileSync(summaryFile, '');
  const done: ActionOutcome = { exitCode: 0, log: '', summary: '', outputs: {} };
  for (const [index, step] of action.runs.steps.entries()) {
    const condition = step.if ?? 'success()';
    if (done.exitCode !== 0 && !condition.includes('always()')) continue;
    if (!holds(condition, context)) continue;
    if (step.uses !== undefined) {
      useAction(step, context, job);
      continue;
    }
    if (step.shell !== 'bash') throw new Error(`step ${index} has no shell`);
    const outputFile = join(job.temp, `output-${index}`);
    writeFileSync(outputFile, '');
    const env = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, context)]);
    const { code, log } = await bash(step.run!, job.workspace, {
      ...job.env,
      ...Object.fromEntries(env),
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: summaryFile,
    });
    done.log += log;
    if (code !== 0 && done.exitCode === 0) done.exitCode = code;
    if (step.id !== undefined) steps[step.id] = { outputs: readOutputs(readFileSync(outputFile, 'utf8')) };
  }
  done.summary = readFileSync(summaryFile, 'utf8');
  for (const [name, { value }] of Object.entries(action.outputs)) done.outputs[name] = fill(value, context);
  return done;
}

function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; log: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env: { PATH, HOME, GITHUB_ACTIONS: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, log }));
  });
}

function useAction(step: Step, context: object, { artifacts }: Job): void {
  const name = step.uses!.split('@')[0]!;
  const given = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(String(value), context)]),
  );
  if (name === 'actions/setup-node') return;
  // As the service does, which takes none of these in a name.
  if (!/^[^":<>|*?\r\n\\/]+$/.test(given['name'] ?? ''))
    throw new Error(`bad artifact name ${given['name']}`);
  const stored = join(artifacts, given['name']!);
  mkdirSync(stored, { recursive: true });
  if (name === 'actions/download-artifact') cpSync(stored, given['path']!, { recursive: true });
  else if (name === 'actions/upload-artifact')
    for (const path of filesAt(given['path']!)) cpSync(path, join(stored, basename(path)));
  else throw new Error(`nobody stands in for ${name}`);
}

function filesAt(path: string): string[] {
  const pattern = basename(path);
  if (pattern !== 'run*.json')
    return statSync(path, { throwIfNoEntry: false }) ? readdirSync(path).map((name) => join(path, name)) : [];
  const folder = path.slice(0, -pattern.length - 1);
  return readdirSync(folder)
    .filter((name) => /^run.*\.json$/.test(name))
    .map((name) => join(folder, name));
}

/** The part of GitHub's expressions that action.yml needs: names, strings, `==`, `!=`, `&&`, always(), success(). */
function holds(condition: string, context: object): boolean {
  return condition.split('&&').every((term) => {
    const text = term.trim();
    if (text === 'always()' || text === 'success()') return true;
    const match = /^(\S+) (==|!=) '([^']*)'$/.exec(text);
    if (match === null) throw new Error(`cannot evaluate ${text}`);
    return (lookUp(match[1]!, context) === match[3]) === (match[2] === '==');
  });
}

function fill(text: string, context: object): string {
  return text.replaceAll(/\$\{\{\s*(\S+?)\s*\}\}/g, (_, name: string) => lookUp(name, context));
}

function lookUp(name: string, context: object): string {
  const found = name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], context);
  return found === undefined ? '' : String(found);
}

/** Outputs as the runner reads them: `name<<delimiter`, lines, delimiter. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  while (lines.length > 0) {
    const [, name, delimiter] = /^([\w-]+)<<(\S+)$/.exec(lines.shift()!) ?? [];
    if (name === undefined) continue;
    outputs[name] = lines.splice(0, lines.indexOf(delimiter!)).join('\n');
  }
  return outputs;
}
