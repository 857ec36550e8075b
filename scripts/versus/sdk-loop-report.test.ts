import { expect, test } from 'vitest';
import { sdkLoopMarkdown, type SdkLoopReport, type SdkLoopRow, shareSeen } from './sdk-loop-report.js';

const row = (name: string, change: Partial<SdkLoopRow> = {}): SdkLoopRow => ({
  name,
  about: null,
  mcpBench: [1000, 1100, 1200],
  sdkLoop: [550, 500, 600],
  sdkCpuUs: [200, 210, 190],
  reasons: [],
  ...change,
});

const report = (rows: SdkLoopRow[]): SdkLoopReport => ({
  schema: 'mcp-bench/sdk-loop@1',
  date: '2026-11-18T07:00:00.000Z',
  machine: {
    cpu: 'Imaginary',
    cores: 2,
    memoryBytes: 8e9,
    os: 'Linux',
    node: 'v20',
    git: null,
    loadBefore: 0,
  },
  rounds: 3,
  sessions: 10,
  inFlight: 4,
  warmupSeconds: 1,
  seconds: 3,
  rows,
});

test('the share is that of the medians', () => {
  expect(shareSeen(row('a'))).toBe(0.5);
  expect(shareSeen(row('a', { sdkLoop: [] }))).toBeNull();
});

test('whoever the loop wrongs most stands first, and whoever it cannot measure stays with the reason', () => {
  const text = sdkLoopMarkdown(
    report([
      row('fair', { sdkLoop: [1100, 1100, 1100] }),
      row('wronged'),
      row('other', { sdkLoop: [], reasons: ['SDK, round 1: no\nversion', 'SDK, round 2: no version'] }),
    ]),
  );
  expect(text.indexOf('| wronged')).toBeLessThan(text.indexOf('| fair'));
  expect(text).toMatch(/\| wronged .* 50\.0 % .* 2\.00 × .* 200 µs/);
  expect(text).toMatch(/\| fair .* 100 % .* nothing/);
  expect(text).toContain('other (mcp-bench 1,100 (1,000 … 1,200), the SDK loop none)');
  expect(text).toContain('- other: SDK, round 1: no version (and 1 more)');
});
