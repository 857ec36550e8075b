import { calibratedVariation, variationFromHistory } from '../../compare/calibration.js';
import { calibrationPath, readCalibration } from '../../compare/calibration-file.js';
import type { CompareOptions } from '../../compare/compare-runs.js';
import { defaultMargins, gateOrder, toolGate, type Gate } from '../../compare/gates.js';
import type { KnownVariation } from '../../compare/known-variation.js';
import { Failure } from '../../failure.js';
import type { RunResult } from '../../result/result.js';
import { durationExpected, parseDuration } from '../../scenario/duration.js';
import type { ComparisonFlags } from './comparison-flags.js';
import { readResultsIn } from '../reports/result-files.js';

/** What the flags ask for, but for what is known about the noise. */
export function parseComparisonFlags(flags: ComparisonFlags): CompareOptions {
  if (flags.calibration !== undefined && readCalibration(flags.calibration) === undefined)
    throw new Failure(`--calibration: ${flags.calibration}: no such file. Run mcp-bench calibrate first.`);
  return {
    margins: Object.fromEntries((flags.margin ?? []).map(parseMargin)),
    ...(flags.allowTransport === true ? { allowTransport: true } : {}),
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
  const match = /^(.+?)\s*=\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text);
  if (match === null)
    throw new Failure(`--margin: expected a metric and a percentage, such as p50=5%, found "${text}".`);
  return [gateNamed(match[1]!, '--margin'), Number(match[2]) / 100];
}

function gateNamed(name: string, option: string): Gate {
  const text = name.trim().replace(/\s+/g, ' ');
  const gate = gateOrder.find((gate) => gate === text);
  if (gate !== undefined) return gate;
  if (toolGate(text as Gate) !== null) return text as Gate;
  throw new Failure(
    `${option}: "${name}" cannot fail a comparison: one of ${Object.keys(defaultMargins).join(', ')} can, or a tool's percentile such as "search p50".`,
  );
}

function parseFloor(text: string): number {
  const ns = text === '0' ? 0 : parseDuration(text);
  if (ns === null) throw new Failure(`--floor: expected ${durationExpected}, found "${text}".`);
  return ns;
}
