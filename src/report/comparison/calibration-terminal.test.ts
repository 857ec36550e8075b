import { expect, test } from 'vitest';
import { compareRuns } from '../../compare/compare-runs.js';
import { madeUpRun, madeUpSide } from '../../compare/comparison.fixture.js';
import { repeatedFigures } from '../../compare/repeated-figures.js';
import { terminalCalibration, type CalibrationFindings } from './calibration-terminal.js';

const measuredAt = '2026-11-18T08:00:00.000Z';
const runs = madeUpSide({}, [0.99, 1.004, 1, 1.011, 0.995, 1.002, 0.998, 1.006, 1.001]);
const suspect = madeUpRun({
  change: {
    validity: {
      state: 'suspect',
      reasons: [{ code: 'cpu-taken', message: "other processes took 61 % of this machine's CPU." }],
      warnings: [],
    },
  },
});
const found: CalibrationFindings = {
  name: 'steady',
  runs: 9,
  suspect: [suspect],
  figures: repeatedFigures(runs),
  comparison: compareRuns(runs.slice(0, 4), runs.slice(4)),
  ceiling: [
    {
      posts: 'serial',
      callsPerSec: 43_012,
      generatorBusy: 0.97,
      targetCpu: 0.71,
      othersCpu: 0.01,
      measuredAt,
    },
    {
      posts: 'pipelined',
      callsPerSec: 82_400,
      generatorBusy: 0.8,
      targetCpu: 0.98,
      othersCpu: 0.01,
      measuredAt,
    },
  ],
  path: 'results/calibration-bench.json',
};

const options = { colour: false, width: 100 };

test('a calibration looks as it did', async () => {
  await expect(terminalCalibration(found, options)).toMatchFileSnapshot('./golden/calibration.txt');
});

test('a disturbed one says so', async () => {
  const ceiling = found.ceiling.map((one) => ({ ...one, othersCpu: 0.6 }));
  const disturbed = { ...found, figures: [], comparison: null, ceiling };
  await expect(terminalCalibration(disturbed, options)).toMatchFileSnapshot(
    './golden/calibration-disturbed.txt',
  );
});

test('too much noise, and a false alarm, are called that', () => {
  const noisy = [0.9, 1.12, 1, 1.07, 0.85];
  const text = terminalCalibration(
    {
      ...found,
      figures: repeatedFigures(madeUpSide({}, noisy)),
      comparison: compareRuns(madeUpSide({}), madeUpSide({ minute: 1, medianMs: 30 })),
    },
    options,
  ).replaceAll(/\s+/g, ' ');
  expect(text).toContain('even 10 runs a side may miss');
  expect(text).toContain('gave a false alarm (p50 +50.0 %');
});
