import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageVersion } from '../../version.js';

// What `npm publish` would send, installed into an empty project and used from there. Nothing of the checkout is in reach but its compiler.
const root = fileURLToPath(new URL('../../..', import.meta.url));
let project: string;
let installing = '';

interface Ran {
  code: number | null;
  stdout: string;
  /** Both outputs. */
  text: string;
}

function ran(command: string, args: readonly string[], cwd = project): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, NO_COLOR: '1', GITHUB_ACTIONS: '' },
  });
  if (error) throw error;
  return { code: status, stdout, text: stdout + stderr };
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mcp-bench-package-'));
  const packed = ran('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], root);
  expect(packed.code, packed.text).toBe(0);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'))!;
  const installed = ran('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    join(project, tarball),
  ]);
  expect(installed.code, installed.text).toBe(0);
  installing = installed.text;
}, 180_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

function installedFiles(): string[] {
  const folder = join(project, 'node_modules', 'mcp-bench');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => relative(folder, join(folder, name)).replaceAll('\\', '/'))
    .filter((name) => statSync(join(folder, name)).isFile());
}

test('installs without a word about engines', () => {
  expect(installing).not.toMatch(/EBADENGINE|deprecated/);
});

test('holds what users need, and no more', () => {
  const files = installedFiles();
  for (const needed of ['README.md', 'LICENSE', 'CHANGELOG.md', 'scenarios/smoke.yaml', 'docs/ci.md'])
    expect(files).toContain(needed);
  const surplus = files.filter((name) =>
    /\.map$|\.test\.|\.fixture\.|\.tsx?$(?<!\.d\.ts)|^dist\/scripts\/|e2e\/|\.ci\//.test(name),
  );
  expect(surplus).toEqual([]);
});

test('npx mcp-bench runs a stock scenario against its own mock, and reports', () => {
  expect(ran('npx', ['mcp-bench', '--version'])).toMatchObject({ stdout: `${packageVersion()}\n`, code: 0 });
  const scenario = 'node_modules/mcp-bench/scenarios/smoke.yaml';
  const outcome = ran('npx', [
    'mcp-bench',
    'run',
    scenario,
    '--duration=500ms',
    '--out=run.json',
    '--report=html=run.html',
  ]);
  expect(outcome.text).toContain('smoke');
  expect(outcome.code, outcome.text).toBe(0);
  expect(existsSync(join(project, 'run.json'))).toBe(true);
  expect(statSync(join(project, 'run.html')).size).toBeGreaterThan(50_000);
});

const program = `
import { Failure, run, serveMock, terminalReport, writeResult, type Plan, type RunResult } from 'mcp-bench';

const mock = await serveMock({ port: 0 });
const result: RunResult = await run({
  scenario: {
    name: 'library',
    sessions: 2,
    load: { model: 'count', calls: 20 },
    calls: [{ tool: 'echo', arguments: { message: 'hi' }, expect: 'echo' }],
  },
  target: mock.url,
});
const plan: Plan = result.scenario;
writeResult(result, { path: 'library.json' });
if (!terminalReport(result, { colour: false, width: 80 }).includes('library')) throw new Failure('no report');
console.log(plan.name, result.totals.started, result.totals.conserved);
await mock.close();
`;

test('the library is there, and its types hold with skipLibCheck: false and without the types of Node', () => {
  writeFileSync(join(project, 'use.ts'), program);
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const checked = ran(tsc, [
    ...'--strict --skipLibCheck false --module nodenext --target es2023'.split(' '),
    '--types',
    '',
    'use.ts',
  ]);
  // The program itself prints; that is all that may be missing.
  expect(checked.text.replace(/^use\.ts\(\d+,1\): error TS2584: Cannot find name 'console'.*\n/m, '')).toBe(
    '',
  );
  const used = ran(process.execPath, ['use.js']);
  expect(used).toMatchObject({ text: 'library 20 true\n', code: 0 });
});
