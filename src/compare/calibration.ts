import { createHash } from 'node:crypto';
import type { RunResult } from '../result/result.js';
import { changePoints } from './change-points.js';
import { machineOf, workKey } from './comparability.js';
import type { KnownVariation } from './known-variation.js';
import { comparedMetrics } from './run-figures.js';
import { betweenRunVariation, type BetweenRunVariation } from './variance.js';

export const calibrationSchema = 'mcp-bench/calibration@1';

/** What is known about the noise of one machine. */
export interface Calibration {
  schema: typeof calibrationSchema;
  hostname: string;
  /** One per scenario and server that was calibrated with. */
  entries: CalibrationEntry[];
  /** The most that the generator can do on this machine, where it was measured. */
  ceiling: Ceiling[];
}

export interface CalibrationEntry {
  scenario: string;
  /** What was asked for, as a hash: runs that may be compared with each other have the same. */
  work: string;
  server: string | null;
  machine: string;
  calibratedAt: string;
  runs: number;
  /** By metric as comparisons name them; errors are not among them. */
  metrics: Record<string, BetweenRunVariation>;
}

export interface Ceiling {
  posts: 'serial' | 'pipelined';
  callsPerSec: number;
  /** Useful work over elapsed time of the busiest worker. */
  generatorBusy: number;
  /** CPU of the mock, as a share of one core; null where unknown. */
  targetCpu: number | null;
  /** CPU of the machine taken by others, as a share of all cores; null where unknown. */
  othersCpu: number | null;
  measuredAt: string;
}

/** Fewer runs than this say too little about how much runs differ. */
export const fewestCalibrationRuns = 5;

/** What runs of the same thing say about the noise between them. */
export function calibrationEntry(runs: readonly RunResult[], calibratedAt: string): CalibrationEntry {
  const [first] = runs as [RunResult];
  return {
    scenario: first.name,
    work: hashOfWork(first),
    server: first.target.server?.name ?? null,
    machine: machineOf(first),
    calibratedAt,
    runs: runs.length,
    metrics: variationOf([runs]),
  };
}

/** The calibration with an entry added, which replaces an older one of the same. */
export function withEntry(known: Calibration, entry: CalibrationEntry): Calibration {
  const others = known.entries.filter(
    ({ work, server, machine }) =>
      work !== entry.work || server !== entry.server || machine !== entry.machine,
  );
  return { ...known, entries: [...others, entry] };
}

/**
 * What a calibration says about the noise between these runs: exactly, where it was made with the same scenario, server and machine; else the largest
 * noise it knows of, which widens and decides nothing. Undefined where it knows nothing of the machine, or the runs are of several.
 */
export function calibratedVariation(
  known: Calibration,
  runs: readonly RunResult[],
): KnownVariation | undefined {
  const machine = machineOf(runs[0]!);
  if (runs.some((run) => machineOf(run) !== machine)) return undefined;
  const here = known.entries.filter((entry) => entry.machine === machine);
  const servers = new Set(runs.map(({ target }) => target.server?.name ?? null));
  const work = hashOfWork(runs[0]!);
  const exact = here.find(
    (entry) => entry.work === work && servers.size === 1 && servers.has(entry.server) && enough(entry),
  );
  if (exact !== undefined)
    return {
      source: `calibration of ${exact.calibratedAt.slice(0, 10)} (${exact.runs} runs)`,
      exact: true,
      metrics: exact.metrics,
    };
  if (here.length === 0) return undefined;
  const metrics: Record<string, BetweenRunVariation> = {};
  for (const [metric, variation] of here.flatMap((entry) => Object.entries(entry.metrics)))
    if (variation.sdLog > (metrics[metric]?.sdLog ?? 0)) metrics[metric] = variation;
  const names = [...new Set(here.map(({ scenario }) => scenario))].join(', ');
  return { source: `calibration with ${names}`, exact: false, metrics };
}

/**
 * The same from stored results: those of the same scenario, server and machine, apart from the runs at hand. Where the history moved to another
 * level the runs before and after are two groups, so that a change of the server is not taken for noise. Undefined where there are too few.
 */
export function variationFromHistory(
  stored: readonly RunResult[],
  runs: readonly RunResult[],
): KnownVariation | undefined {
  const [first] = runs as [RunResult];
  const own = new Set(runs.map(({ startedAt }) => startedAt));
  const alike = stored
    .filter(
      (run) =>
        !own.has(run.startedAt) &&
        run.ended === 'complete' &&
        run.validity.state === 'valid' &&
        !run.totals.availability?.gone &&
        machineOf(run) === machineOf(first) &&
        run.target.server?.name === first.target.server?.name &&
        hashOfWork(run) === hashOfWork(first),
    )
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  if (runs.some((run) => machineOf(run) !== machineOf(first))) return undefined;
  if (alike.length < fewestCalibrationRuns) return undefined;
  const levels = alike.map((run) => run.metrics['call.response']?.p50 ?? 0);
  const borders = [0, ...changePoints(levels).map(({ at }) => at), alike.length];
  const groups = borders.slice(1).map((end, at) => alike.slice(borders[at], end));
  return { source: `${alike.length} stored results`, exact: true, metrics: variationOf(groups) };
}

function enough(entry: CalibrationEntry): boolean {
  return entry.runs >= fewestCalibrationRuns;
}

function variationOf(groups: readonly (readonly RunResult[])[]): Record<string, BetweenRunVariation> {
  const metrics: Record<string, BetweenRunVariation> = {};
  for (const { metric, read } of comparedMetrics(groups[0]![0]!)) {
    // What the generator may have moved says nothing about how much runs differ.
    const values = groups.map((runs) =>
      runs
        .map((run) => read(run))
        .filter((figure) => !figure?.disturbed)
        .map((figure) => figure?.value ?? Number.NaN),
    );
    const variation = betweenRunVariation(values);
    if (variation !== undefined) metrics[metric] = variation;
  }
  return metrics;
}

function hashOfWork(run: RunResult): string {
  return createHash('sha256').update(workKey(run)).digest('hex');
}
