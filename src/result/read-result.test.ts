import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../failure.js';
import { readResult } from './read-result.js';
import type { RunResult } from './result.js';
import { sampleResult } from './result.fixture.js';
import { resultText } from './write-result.js';
import { redact } from '../text/secrets.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-result-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const whole = resultText(sampleResult());

test.each([
  ['an empty file', '', /is empty/],
  ['text', 'hello', /is not JSON/],
  ['YAML', 'name: burst', /is not JSON/],
  ['a list', '[1, 2]', /is JSON, but no result of mcp-bench/],
  ['null', 'null', /is JSON, but no result of mcp-bench/],
  ['another object', '{"a": 1}', /its "schema" is missing, expected "mcp-bench\/result@2"/],
  ['another schema', '{"schema": "k6/summary@1"}', /its "schema" is "k6\/summary@1"/],
  [
    'a newer version',
    '{"schema": "mcp-bench/result@3"}',
    /has the format mcp-bench\/result@3.*update mcp-bench/,
  ],
  ['an older version', '{"schema": "mcp-bench/result@0"}', /repeat the run/],
  ['a cut-off file', whole.slice(0, 1000), /is cut off/],
  [
    'a cut-off file that ends in a brace',
    `${whole.slice(0, whole.indexOf('}') + 1)}`,
    /is not JSON|is cut off/,
  ],
  ['a broken middle', whole.replace('"seed": 1', '"seed" 1'), /is not JSON/],
  ['a missing part', whole.replace('"totals"', '"tables"'), /damaged result: "totals" is missing/],
  ['a part of the wrong kind', whole.replace('"findings": []', '"findings": {}'), /"findings" is not a list/],
  ['a hollow metric', whole.replace('"metrics": {', '"metrics": {"x": 1,'), /the metric "x" has no count/],
])('%s is refused with its reason', (_, text, message) => {
  const path = join(folder, 'r.json');
  writeFileSync(path, text);
  expect(() => readResult(path)).toThrow(Failure);
  expect(() => readResult(path)).toThrow(message);
  expect(() => readResult(path)).toThrow(path);
});

test('a missing file and a folder are refused with their reason', () => {
  expect(() => readResult(join(folder, 'none.json'))).toThrow(/none\.json: no such file/);
  expect(() => readResult(folder)).toThrow(/is a folder/);
});

test('a result cut off anywhere never passes for a whole one', () => {
  const path = join(folder, 'r.json');
  for (let length = whole.length - 3; length > 0; length -= 997) {
    writeFileSync(path, whole.slice(0, length));
    expect(() => readResult(path)).toThrow(Failure);
  }
});

test('a result of the first format, as 0.1.0 wrote it, is read with its thresholds', () => {
  const path = join(import.meta.dirname, 'result-1.fixture.json');
  const result = readResult(path);
  expect(result.schema).toBe('mcp-bench/result@2');
  expect(result.thresholds.map(({ rule, state }) => [rule, state])).toEqual([
    ['p(50) < 50ms', 'pass'],
    ['p(99) < 2us', 'fail'],
    ['rate < 1%', 'pass'],
  ]);
  expect(result.metrics['call.response']?.disturbed).toBeUndefined();
});

test('of a result from before there were transports to tell apart, it is known which it was', () => {
  const path = join(folder, 'r.json');
  const { era: _era, bodies: _bodies, ...target } = sampleResult().target;
  writeFileSync(path, resultText(sampleResult({ target: target as RunResult['target'] })));
  for (const file of [path, join(import.meta.dirname, 'result-1.fixture.json')])
    expect(readResult(file).target).toMatchObject({ transport: 'sse', era: 'sessions', bodies: [] });
});

test('a server that is a command has no URL', () => {
  const path = join(folder, 'r.json');
  const { url: _, ...target } = sampleResult().target;
  const command = ['node', 'server.js'];
  writeFileSync(path, resultText(sampleResult({ target: { ...target, transport: 'stdio', command } })));
  expect(readResult(path).target).toMatchObject({ transport: 'stdio', command });
  expect(readResult(path).target.url).toBeUndefined();
});

test('an old result with the whole URL in it is read without its values, and hides nothing elsewhere', () => {
  const path = join(folder, 'r.json');
  const result = sampleResult();
  const target = { ...result.target, url: 'http://h/sse?mode=stale-value-5' };
  writeFileSync(path, resultText({ ...result, target, examples: { toolError: 'no stale-value-5' } }));
  const read = readResult(path);
  expect(read.target.url).toBe('http://h/sse?mode=***');
  expect(read.examples).toEqual({ toolError: 'no ***' });
  expect(redact('stale-value-5')).toBe('stale-value-5');
});
