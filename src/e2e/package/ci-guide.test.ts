import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { readResult } from '../../result/read-result.js';
import { writeFileWhole } from '../../result/write-file.js';

vi.setConfig({ testTimeout: 600_000 });

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'dist/src/cli/main.js');
const knownFigures = join(root, 'src/e2e/fixtures/known-figures.mjs');
const guide = readFileSync(join(root, 'docs/ci.md'), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/<!-- (\w+:\w+) -->\n+```\w+\n(.*?)```/gs)].map(([, name, text]) => [name!, text!]),
);
const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-guide-'));
afterAll(() => rmSync(cwd, { recursive: true }));

let port = 0;
beforeAll(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  await new Promise((resolve) => server.close(resolve));
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(
    join(cwd, 'bin/mcp-bench'),
    `#!/bin/sh\nexec '${process.execPath}' --import '${knownFigures}' '${main}' "$@"\n`,
  );
  chmodSync(join(cwd, 'bin/mcp-bench'), 0o755);
  writeFileSync(
    join(cwd, 'server.js'),
    `process.argv.splice(2, 0, 'serve-mock', '--port', '${port}'); import(${JSON.stringify(main)});`,
  );
  writeScenario('echo', 8);
});

function writeScenario(tool: string, sessions: number): void {
  writeFileSync(
    join(cwd, 'scenario.yaml'),
    `name: guide\nsessions: ${sessions}\nload: { model: count, calls: 16 }\ncalls: [{ tool: ${tool}, arguments: { message: hi } }]\n`,
  );
}

/** What is kept as the baseline, by file. */
function kept(): Record<string, string> {
  const names = readdirSync(join(cwd, 'kept')).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(cwd, 'kept', name), 'utf8')]));
}

/** Makes one stored run a suspect one. */
function spoil(path: string): void {
  const result = readResult(path);
  const reasons = [{ code: 'schedule-lag', message: 'the generator was late itself.' }];
  writeFileWhole(path, JSON.stringify({ ...result, validity: { state: 'suspect', reasons, warnings: [] } }));
}

/** Runs a block of the guide with sh, as a CI system would; of the server that it measures, the latency is known. */
function sh(block: string, p50Ms = 300): Promise<{ code: number | null; log: string }> {
  const { GITHUB_ACTIONS: _, GITHUB_STEP_SUMMARY: __, ...env } = process.env;
  const child = spawn('sh', ['-e', '-c', blocks.get(block)!], {
    cwd,
    env: {
      ...env,
      PATH: `${join(cwd, 'bin')}:${env['PATH']}`,
      TARGET: `http://127.0.0.1:${port}/sse`,
      BASELINE: 'kept',
      KNOWN_FIGURES: JSON.stringify({ p50Ms }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, log })));
}

test('every block of the guide is named, so that none goes untested', () => {
  expect([...blocks.keys()]).toEqual(['workflow:artifact', 'workflow:branch', 'shell:gate', 'shell:keep']);
  expect(guide.match(/^```\w+$/gm)).toHaveLength(blocks.size);
});

test('the shell version gates: a first run, a baseline kept, a slower server found', async () => {
  const first = await sh('shell:gate');
  expect(first.code, first.log).toBe(0);
  expect((await sh('shell:keep')).code).toBe(0);
  expect(readdirSync(join(cwd, 'kept')).sort()).toEqual([1, 2, 3, 4].map((number) => `run-${number}.json`));
  const slower = await sh('shell:gate', 600);
  expect(slower.code, slower.log).toBe(4);
  expect(readFileSync(join(cwd, 'comparison.xml'), 'utf8')).toContain('<failure');
  expect(readFileSync(join(cwd, 'comparison.md'), 'utf8')).toContain('regression');
});

test('a suspect run is never kept: it would have every later run refused', async () => {
  const before = kept();
  spoil(join(cwd, 'new/run-2.json'));
  const keeping = await sh('shell:keep');
  expect(keeping.code, keeping.log).toBe(0);
  expect(keeping.log).toContain('no baseline: 1 of the 4 runs of base is suspect');
  expect(kept()).toEqual(before);
});

test('another scenario is measured without its old baseline; runs whose calls all failed are not kept', async () => {
  const before = kept();
  writeScenario('fail', 8);
  const failed = await sh('shell:gate');
  expect(failed.code, failed.log).toBe(1);
  expect(failed.log).toContain('The baseline does not fit this scenario any more: measured without it.');
  const keeping = await sh('shell:keep');
  expect(keeping).toMatchObject({ code: 0, log: expect.stringContaining('failed: allFailed') as string });
  expect(kept()).toEqual(before);
});

test('a baseline that was poisoned once is replaced by the next sound runs', async () => {
  writeScenario('echo', 8);
  spoil(join(cwd, 'kept/run-3.json'));
  const next = await sh('shell:gate');
  expect(next.code, next.log).toBe(0);
  expect((await sh('shell:keep')).code).toBe(0);
  const states = Object.keys(kept()).map((name) => readResult(join(cwd, 'kept', name)).validity.state);
  expect(states).toEqual(['valid', 'valid', 'valid', 'valid']);
  const after = await sh('shell:gate');
  expect(after.code, after.log).toBe(0);
  expect(after.log).not.toContain('measured without it');
});

test.each(['workflow:artifact', 'workflow:branch'])('%s gives the action only inputs that it has', (name) => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: object; outputs: object };
  const workflow = parse(blocks.get(name)!) as {
    jobs: { load: { steps: { uses?: string; with?: object }[] } };
  };
  const step = workflow.jobs.load.steps.find(({ uses }) => uses?.startsWith('OWNER/mcp-bench'));
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step!.with!)));
  for (const [, output] of blocks.get(name)!.matchAll(/outputs\.([\w-]+)/g))
    expect(Object.keys(action.outputs)).toContain(output);
});
