import type { RunResult } from '../result/result.js';
import { changePoints, type ChangePoint } from './change-points.js';
import { machineOf, workKey } from './comparability.js';
import { median } from './median.js';
import { repeatedFigures, type RepeatedFigure, soundValues } from './repeated-figures.js';

/** The runs of one scenario over time, oldest first. */
export interface History {
  name: string;
  machine: string;
  server: string | null;
  runs: HistoryRun[];
  trends: Trend[];
  /** Stored runs of that name that are not shown, and why. */
  leftOut: { suspect: number; incomplete: number; others: number };
}

export interface HistoryRun {
  startedAt: string;
  git: string | null;
  path: string;
}

/** One metric over the runs. */
export interface Trend extends RepeatedFigure {
  changes: LevelChange[];
  /** Median of the runs since the last change. */
  level: number;
  /** The newest run's own value. */
  newest: number;
}

/** A lasting change of a level. */
export interface LevelChange extends ChangePoint {
  before: number;
  after: number;
}

/**
 * The history of a scenario: all stored runs that can be compared with its newest one and were made on the same machine; runs that are suspect,
 * were cut short or outlived their target are left out. Undefined where there is none.
 */
export function historyOf(
  name: string,
  stored: readonly { path: string; result: RunResult }[],
): History | undefined {
  const named = stored
    .filter(({ result }) => result.name === name)
    .sort((a, b) => (a.result.startedAt < b.result.startedAt ? -1 : 1));
  // As comparisons have it: of a target that was gone at the end, the figures are of the time before.
  const complete = named.filter(
    ({ result: { ended, totals } }) =>
      ended === 'complete' && totals.started > 0 && !totals.availability?.gone,
  );
  const valid = complete.filter(({ result }) => result.validity.state === 'valid');
  const newest = valid.at(-1)?.result;
  if (newest === undefined) return undefined;
  const alike = valid.filter(
    ({ result }) => machineOf(result) === machineOf(newest) && workKey(result) === workKey(newest),
  );
  return {
    name,
    machine: machineOf(newest),
    server: newest.target.server?.name ?? null,
    runs: alike.map(({ path, result }) => ({
      startedAt: result.startedAt,
      git: result.environment.git,
      path,
    })),
    trends: repeatedFigures(alike.map(({ result }) => result)).map(trendOf),
    leftOut: {
      suspect: complete.length - valid.length,
      incomplete: named.length - complete.length,
      others: valid.length - alike.length,
    },
  };
}

function trendOf(figure: RepeatedFigure): Trend {
  const { values } = figure;
  // A figure that the generator may have moved is shown, and makes no change of a level.
  const places = values.flatMap((_, at) => (figure.disturbed[at] ? [] : [at]));
  const points = changePoints(places.map((at) => values[at]!));
  const sound = soundValues(figure);
  const borders = [0, ...points.map(({ at }) => at), sound.length];
  const levels = borders.slice(1).map((end, at) => median(sound.slice(borders[at], end)));
  return {
    ...figure,
    changes: points.map((point, at) => ({
      ...point,
      at: places[point.at]!,
      before: levels[at]!,
      after: levels[at + 1]!,
    })),
    level: levels.at(-1)!,
    newest: values.at(-1)!,
  };
}
