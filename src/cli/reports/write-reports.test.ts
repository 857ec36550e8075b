import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleResult } from '../../result/result.fixture.js';
import { parseReportFiles } from './report-files.js';
import { runReportKinds } from './run-reports.js';
import { writeReports } from './write-reports.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-reports-'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test('writes every format under the name given', async () => {
  const result = sampleResult();
  await writeReports(
    result,
    parseReportFiles(
      runReportKinds.map((kind) => `${kind}=${join(folder, kind)}`),
      runReportKinds,
    ),
  );
  expect(readdirSync(folder).sort()).toEqual([...runReportKinds, 'csv-intervals'].sort());
  const start = (name: string): string => readFileSync(join(folder, name), 'utf8').slice(0, 15);
  expect(start('html')).toBe('<!doctype html>');
  expect(start('junit')).toBe('<?xml version="');
  expect(start('md')).toBe('### mcp-bench: ');
  expect(JSON.parse(readFileSync(join(folder, 'json'), 'utf8'))).toEqual(result);
});

test('keeps the ending of a CSV file for its intervals', async () => {
  await writeReports(sampleResult(), parseReportFiles([`csv=${join(folder, 'a.csv')}`], runReportKinds));
  expect(readdirSync(folder).sort()).toEqual(['a-intervals.csv', 'a.csv']);
});

test.each(['html', 'html=', '=x', 'pdf=x', ''])('refuses %j with the kinds it knows', (option) => {
  expect(() => parseReportFiles([option], runReportKinds)).toThrow(/kind=FILE.*html, md, junit/);
});
