import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeEnvironment } from './environment.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = { workers: 3, pacing: 'timer', tags: { runner: 'ci' } } as const;

test('the machine and the run are described', () => {
  const environment = describeEnvironment({ ...run, cwd: folder });
  expect(environment).toMatchObject({
    node: process.version,
    workers: 3,
    pacing: 'timer',
    tags: { runner: 'ci' },
  });
  expect(environment.cores).toBeGreaterThan(0);
  expect(environment.memoryBytes).toBeGreaterThan(0);
  for (const text of [environment.cpu, environment.os, environment.hostname]) expect(text).not.toBe('');
});

test('outside a checkout there is no git description', () => {
  expect(describeEnvironment({ ...run, cwd: folder }).git).toBeNull();
});

test('in a checkout the commit is named, and whether files were changed', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(join(folder, 'a'), '1');
  git('add', '.');
  git('commit', '-qm', 'first');
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  expect(describeEnvironment({ ...run, cwd: folder }).git).toBe(commit);
  git('tag', 'v1.2.3');
  writeFileSync(join(folder, 'a'), '2');
  expect(describeEnvironment({ ...run, cwd: folder }).git).toBe('v1.2.3-dirty');
});
