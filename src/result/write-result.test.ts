import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExitCode, Failure } from '../failure.js';
import { readResult } from './read-result.js';
import { sampleResult } from './result.fixture.js';
import { checkWritable } from './write-file.js';
import { resultText, writeResult } from './write-result.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-result-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a result comes back as it was written, under its name and time, in a folder made for it', () => {
  const result = sampleResult();
  const path = writeResult(result, { folder: join(folder, 'a', 'b') });
  expect(path).toBe(join(folder, 'a', 'b', 'steady-20261118T070312Z.json'));
  expect(readResult(path)).toEqual(result);
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['steady-20261118T070312Z.json']);
});

test('a second run of the same second gets a counter and replaces nothing', () => {
  const first = writeResult(sampleResult({ seed: 1 }), { folder });
  const second = writeResult(sampleResult({ seed: 2 }), { folder });
  const third = writeResult(sampleResult({ seed: 3 }), { folder });
  expect([second, third]).toEqual([
    join(folder, 'steady-20261118T070312Z-2.json'),
    join(folder, 'steady-20261118T070312Z-3.json'),
  ]);
  expect([first, second, third].map((path) => readResult(path).seed)).toEqual([1, 2, 3]);
});

test('a path that was asked for is replaced', () => {
  const path = join(folder, 'out.json');
  writeFileSync(path, 'old');
  expect(writeResult(sampleResult(), { path })).toBe(path);
  expect(readResult(path).name).toBe('steady');
  expect(readdirSync(folder)).toEqual(['out.json']);
});

test.each([
  ['../../etc/passwd', 'etc-passwd'],
  ['my run: 50%', 'my-run-50'],
  ['naïve', 'nai-ve'],
  ['…', 'run'],
  ['x'.repeat(300), 'x'.repeat(80)],
])('the name %s makes a file name that stays in its folder', (name, stem) => {
  const path = writeResult(sampleResult({ name }), { folder });
  expect(path).toBe(join(folder, `${stem}-20261118T070312Z.json`));
});

test('what cannot be written is a failure that names the path, and leaves nothing behind', () => {
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'taken'));
  for (const [path, message] of [
    [join(folder, 'file', 'x.json'), /cannot write .*x\.json: a part of the path is a file/],
    [join(folder, 'taken'), /cannot write .*taken: /],
  ] as const) {
    const failure = failureOf(() => writeResult(sampleResult(), { path }));
    expect(failure.message).toMatch(message);
    expect(failure.exitCode).toBe(ExitCode.runFailed);
  }
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});

test('what surely cannot be written is known beforehand, and nothing is made', () => {
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'taken'));
  for (const [path, message] of [
    [join(folder, 'file', 'a', 'x.json'), /cannot write .*x\.json: a part of the path is a file/],
    [join(folder, 'taken'), /cannot write .*taken: it is a folder/],
  ] as const) {
    const failure = failureOf(() => checkWritable(path));
    expect(failure.message).toMatch(message);
    expect(failure.exitCode).toBe(ExitCode.usage);
  }
  checkWritable(join(folder, 'file'));
  checkWritable(join('results', 'new', 'folder', 'x.json'));
  expect(failureOf(() => checkWritable(join(folder, 'new', 'x.json'))).message).toMatch(
    /cannot write .*x\.json: there is no such folder, and one is made only below the current/,
  );
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});

test.skipIf(process.platform === 'win32')('a pipe is refused, and a device stays what it is', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(failureOf(() => checkWritable(pipe)).message).toMatch(
    /cannot write .*pipe: it is a pipe or a socket/,
  );
  checkWritable('/dev/null');
  writeResult(sampleResult(), { path: '/dev/null' });
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test.skipIf(process.getuid?.() === 0)('a folder without permission is a failure', () => {
  chmodSync(folder, 0o555);
  expect(failureOf(() => writeResult(sampleResult(), { folder })).message).toMatch(/no permission/);
});

test('the text is one JSON object with a line to each key and interval', () => {
  const result = sampleResult();
  const text = resultText(result);
  expect(JSON.parse(text)).toEqual(result);
  expect(text.split('\n').filter((line) => line.includes('"atMs"'))).toHaveLength(result.intervals.length);
});

test('a reader that has the old file open keeps reading the old file, whole', () => {
  const path = join(folder, 'out.json');
  writeResult(sampleResult({ seed: 1 }), { path });
  const open = openSync(path, 'r');
  writeResult(sampleResult({ seed: 2 }), { path });
  const old = readFileSync(open, 'utf8');
  closeSync(open);
  expect([JSON.parse(old).seed, readResult(path).seed]).toEqual([1, 2]);
});

function failureOf(action: () => unknown): Failure {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('expected a failure');
}
