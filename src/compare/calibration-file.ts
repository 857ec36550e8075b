import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.js';
import { writeFileWhole } from '../result/write-file.js';
import { type Calibration, calibrationSchema } from './calibration.js';

/** Where the calibration of a machine is kept: beside the results, one file per host, so that a shared folder may hold several. */
export function calibrationPath(hostname: string, folder = 'results'): string {
  return join(folder, `calibration-${hostname.replace(/[^A-Za-z0-9._-]+/g, '-') || 'host'}.json`);
}

/** Reads a calibration; undefined where there is no such file. */
export function readCalibration(path: string): Calibration | undefined {
  if (!existsSync(path)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isCalibration(value))
    throw new Failure(
      `${path} is no calibration of this mcp-bench (expected "${calibrationSchema}"): remove it, and run mcp-bench calibrate.`,
    );
  return value;
}

/** Writes a calibration, whole. */
export function writeCalibration(path: string, calibration: Calibration): void {
  writeFileWhole(path, `${JSON.stringify(calibration, null, 1)}\n`);
}

function isCalibration(value: unknown): value is Calibration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    value.schema === calibrationSchema &&
    'entries' in value &&
    Array.isArray(value.entries)
  );
}
