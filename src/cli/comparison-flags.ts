import type { Argv } from 'yargs';
import { calibratedVariation, variationFromHistory } from '../compare/calibration.js';
import { calibrationPath, readCalibration } from '../compare/calibration-file.js';
import type { CompareOptions } from '../compare/compare-runs.js';
import { defaultMargins, gateOrder, type Gate } from '../compare/gates.js';
import type { KnownVariation } from '../compare/known-variation.js';
import { Failure } from '../failure.js';
import type { RunResult } from '../result/result.js';
import { durationExpected, parseDuration } from '../scenario/duration.js';
import { readResultsIn } from './result-files.js';

/** The flags of whatever compares runs. */
export interface ComparisonFlags {
  margin?: string[];
  floor?: string;
  gates?: string;
  calibration?: string;
  history?: string;
}

/** Adds them to a command. */
export function comparisonFlags<Flags>(yargs: Argv<Flags>): Argv<Flags & ComparisonFlags> {
  const group = 'Comparing:';
  return yargs
    .option('margin', {
      group,
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'the change that matters, e.g. p50=5% (repeatable; defaults: errors=0.1% p50=5% p99=10% throughput=5%)',
    })
    .option('floor', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'latency changes below this never fail (default: 0.1ms)',
    })
    .option('gates', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'which metrics can fail (default: errors,p50,p99,throughput)',
    })
    .option('calibration', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'what mcp-bench calibrate wrote (default: results/calibration-<host>.json)',
    })
    .option('history', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'folder of older results that tell how much runs differ',
    });
}

/** What the flags ask for, but for what is known about the noise. */
export function parseComparisonFlags(flags: ComparisonFlags): CompareOptions {
  if (flags.calibration !== undefined && readCalibration(flags.calibration) === undefined)
    throw new Failure(`--calibration: ${flags.calibration}: no such file. Run mcp-bench calibrate first.`);
  return {
    margins: Object.fromEntries((flags.margin ?? []).map(parseMargin)),
    ...(flags.floor === undefined ? {} : { floorNs: parseFloor(flags.floor) }),
    ...(flags.gates === undefined
      ? {}
      : { gates: flags.gates.split(',').map((name) => gateNamed(name, '--gates')) }),
  };
}

/** How much runs like these differ, as the calibration says or else the history that was named. */
export function knownVariation(
  flags: ComparisonFlags,
  runs: readonly RunResult[],
): KnownVariation | undefined {
  const path = flags.calibration ?? calibrationPath(runs[0]!.environment.hostname);
  const calibration = readCalibration(path);
  const calibrated = calibration && calibratedVariation(calibration, runs);
  if (calibrated?.exact || flags.history === undefined) return calibrated;
  const stored = readResultsIn(flags.history).map(({ result }) => result);
  return variationFromHistory(stored, runs) ?? calibrated;
}

function parseMargin(text: string): [Gate, number] {
  const match = /^([a-z0-9]+)=(\d+(?:\.\d+)?)%$/.exec(text.replaceAll(' ', ''));
  if (match === null)
    throw new Failure(`--margin: expected a metric and a percentage, such as p50=5%, found "${text}".`);
  return [gateNamed(match[1]!, '--margin'), Number(match[2]) / 100];
}

function gateNamed(name: string, option: string): Gate {
  const gate = gateOrder.find((gate) => gate === name.trim());
  if (gate === undefined)
    throw new Failure(
      `${option}: "${name}" cannot fail a comparison: one of ${Object.keys(defaultMargins).join(', ')} can.`,
    );
  return gate;
}

function parseFloor(text: string): number {
  const ns = text === '0' ? 0 : parseDuration(text);
  if (ns === null) throw new Failure(`--floor: expected ${durationExpected}, found "${text}".`);
  return ns;
}
