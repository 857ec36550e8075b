import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands } from '../../cli/commands.js';
import { packageVersion } from '../../version.js';
import { mcpBench } from '../fixtures/command.fixture.js';

const smoke = fileURLToPath(new URL('../../../scenarios/smoke.yaml', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-start-up-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program, and tells which files of it and of its packages were loaded: V8's coverage lists them all. */
async function loadedBy(...args: string[]): Promise<{ stdout: string; files: string[] }> {
  const { code, stdout, stderr } = await mcpBench(args, { cwd: folder, env: { NODE_V8_COVERAGE: folder } });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const files = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  expect(files.some((url) => url.endsWith('/cli/main.js'))).toBe(true);
  return { stdout, files };
}

const commandFile = /\/cli\/commands\/([\w-]+)\.js$/;
const names = commands.map(({ name }) => name);

function commandsAmong(files: readonly string[]): string[] {
  return files.map((url) => commandFile.exec(url)?.[1] ?? '').filter((name) => names.includes(name));
}

test('--version is answered before yargs, or anything else of a package, is loaded', async () => {
  const { stdout, files } = await loadedBy('--version');
  expect(stdout).toBe(`${packageVersion()}\n`);
  expect(files.filter((url) => url.includes('/node_modules/'))).toEqual([]);
});

test('--help names all commands and loads the code of none', async () => {
  const { stdout, files } = await loadedBy('--help');
  for (const { usage, describe } of commands) {
    expect(stdout).toContain(`mcp-bench ${usage}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(describe);
  }
  expect(commandsAmong(files)).toEqual([]);
});

test.each(names)('%s --help loads the code of no other command', async (name) => {
  const { stdout, files } = await loadedBy(name, '--help');
  const { usage, describe, help = describe } = commands.find((command) => command.name === name)!;
  expect(stdout).toContain(`mcp-bench ${usage}`);
  expect(stdout.replace(/\s+/g, ' ')).toContain(help);
  expect(commandsAmong(files)).toEqual([name]);
});

test('run --dry-run is read without yargs, and loads neither the generator nor a report', async () => {
  const { stdout, files } = await loadedBy('run', '--dry-run', smoke);
  expect(stdout).toMatch(/^smoke: /);
  expect(files.filter((url) => /\/node_modules\/yargs\/|\/src\/(load|run|mcp|report)\//.test(url))).toEqual(
    [],
  );
});

test('a worker of a run loads no package at all, and its own code in a few files', async () => {
  // Without the thresholds of stock scenarios, which a busy machine may miss.
  writeFileSync(
    join(folder, 'few.yaml'),
    'sessions: 1\nload: { model: count, calls: 3 }\ncalls: [{ method: ping }]\n',
  );
  const run = await mcpBench(['run', 'few.yaml', '--workers', '1'], {
    cwd: folder,
    env: { NODE_V8_COVERAGE: folder },
  });
  expect(run.code, run.stderr).toBe(0);
  const workers = readdirSync(folder)
    .filter((name) => name.startsWith('coverage-'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .map((text) => (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url))
    .filter((urls) => urls.some((url) => url.endsWith('/run/worker.js')));
  expect(workers).toHaveLength(1);
  expect(workers[0]!.filter((url) => url.includes('/node_modules/'))).toEqual([]);
  const own = workers[0]!.filter((url) => url.startsWith('file:'));
  expect(own.filter((url) => !/\/dist\/src\/run\/worker[^/]*\.js$/.test(url))).toEqual([]);
  expect(own.length).toBeLessThan(10);
});

test('what is wrong is said in English, whatever the language of the machine', async () => {
  const outcome = await mcpBench(['run', '--sesions', '3', 's.yaml'], {
    cwd: folder,
    env: { LC_ALL: 'de_DE.UTF-8' },
  });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toBe(
    'mcp-bench: run has no flag --sesions; did you mean "--sessions"? (see mcp-bench run --help)\n',
  );
});
