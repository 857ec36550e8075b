import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RunResult } from '../result/result.js';
import {
  type Calibration,
  calibratedVariation,
  calibrationEntry,
  calibrationSchema,
  variationFromHistory,
  withEntry,
} from './calibration.js';
import { calibrationPath, readCalibration, writeCalibration } from './calibration-file.js';
import { madeUpRun, madeUpSide } from './comparison.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-calibration-'));
afterAll(() => rmSync(folder, { recursive: true }));

const none: Calibration = { schema: calibrationSchema, hostname: 'bench', entries: [], ceiling: [] };
const at = '2026-11-18T09:00:00.000Z';
const runs = madeUpSide({});
const entry = calibrationEntry(runs, at);
const one = madeUpRun({ minute: 60 });

test('an entry holds the variation of every metric', () => {
  expect(entry).toMatchObject({ scenario: 'steady', server: 'mcp-bench-mock', runs: 5 });
  expect(Object.keys(entry.metrics)).toEqual([
    'p50',
    'p99',
    'throughput',
    'p90',
    'handshake.total p50',
    'echo p50',
    'echo p99',
    'sleep p50',
    'sleep p99',
  ]);
  expect(entry.metrics.p50!.cv).toBeCloseTo(0.008, 3);
  expect(entry.metrics.p50!.degreesOfFreedom).toBe(4);
});

test('it is found again for the same scenario, server and machine only', () => {
  const known = withEntry(none, entry);
  expect(calibratedVariation(known, [one])).toMatchObject({ exact: true, metrics: entry.metrics });
  expect(calibratedVariation(known, [{ ...one, seed: 9, scenarioHash: 'x' }])?.exact).toBe(true);
  const plan = { ...one.scenario, posts: { mode: 'pipelined', connections: 1 } as const };
  expect(calibratedVariation(known, [{ ...one, scenario: plan }])?.exact).toBe(false);
  expect(calibratedVariation(known, [{ ...one, target: { ...one.target, server: null } }])?.exact).toBe(
    false,
  );
  const elsewhere = { ...one, environment: { ...one.environment, cpu: 'other' } };
  expect(calibratedVariation(known, [elsewhere])).toBeUndefined();
  expect(calibratedVariation(known, [one, elsewhere])).toBeUndefined();
  expect(calibratedVariation(none, [one])).toBeUndefined();
});

test('too few runs widen, and decide nothing', () => {
  const known = withEntry(none, calibrationEntry(runs.slice(1), at));
  expect(calibratedVariation(known, [one])?.exact).toBe(false);
});

test('a newer entry replaces the older of the same', () => {
  const newer = { ...entry, runs: 7 };
  const other = { ...entry, work: 'other' };
  expect(withEntry(withEntry(withEntry(none, entry), other), newer).entries).toEqual([other, newer]);
});

test('stored results serve as well, without the runs at hand and without what changed between them', () => {
  expect(variationFromHistory(runs, [one])).toMatchObject({ exact: true, metrics: entry.metrics });
  expect(variationFromHistory([...runs, one], [one])?.metrics).toEqual(entry.metrics);
  expect(variationFromHistory(runs.slice(1), [one])).toBeUndefined();
  const suspect = (run: RunResult): RunResult => ({
    ...run,
    validity: { ...run.validity, state: 'suspect' },
  });
  expect(variationFromHistory([suspect(runs[0]!), ...runs.slice(1)], [one])).toBeUndefined();
  // Twice as slow from the ninth run on: one step, and no noise.
  const factors = [0.99, 1.004, 1, 1.011, 0.995, 1.002, 0.998, 1.006];
  const stepped = [...madeUpSide({}, factors), ...madeUpSide({ medianMs: 40, minute: 100 }, factors)];
  expect(variationFromHistory(stepped, [one])!.metrics.p50!.sdLog).toBeLessThan(0.02);
});

test('it is kept in a file per host', () => {
  const path = calibrationPath('my host/1', folder);
  expect(path).toBe(join(folder, 'calibration-my-host-1.json'));
  expect(readCalibration(path)).toBeUndefined();
  writeCalibration(path, withEntry(none, entry));
  expect(readCalibration(path)).toEqual(withEntry(none, entry));
  writeFileSync(path, '{"schema":"mcp-bench/result@1"}');
  expect(() => readCalibration(path)).toThrow('is no calibration');
  writeFileSync(path, '{');
  expect(() => readCalibration(path)).toThrow('cannot be read');
});
