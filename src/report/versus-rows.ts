import { formatAmount, formatBytes, formatDuration, formatPercent, formatRate } from '../result/units.js';
import type {
  RankedPlace,
  Ranking,
  VersusMetric,
  VersusResult,
  VersusTarget,
} from '../versus/versus-result.js';

/** What the columns of a contest are called, and how their figures are written. */
export const versusColumns: Readonly<
  Record<VersusMetric, { title: string; long: string; show(value: number): string }>
> = {
  callsPerSec: { title: 'calls/s', long: 'Calls answered per second', show: formatRate },
  p50: { title: 'p50', long: 'Response time, median', show: formatDuration },
  p99: { title: 'p99', long: 'Response time, 99th percentile', show: formatDuration },
  handshake: { title: 'handshake', long: 'Handshake, median', show: formatDuration },
  cpuPer1000Calls: {
    title: 'CPU/1,000',
    long: 'CPU of the server for 1,000 calls',
    show: (ms) => formatDuration(ms * 1e6),
  },
  memoryPerSession: {
    title: 'mem/session',
    long: 'Memory per session: peak under load, less what it held idle',
    show: formatBytes,
  },
};

/** The metrics of a contest in the order of its table, whatever it is ranked by. */
export const columnOrder = Object.keys(versusColumns) as VersusMetric[];

/** The rows of a contest's table: the ranked ones first, best first, then those that are not ranked. */
export interface VersusRow {
  readonly target: VersusTarget;
  /** `1`, `2=` for a shared place, `–` for none. */
  readonly place: string;
  readonly cells: Readonly<Record<VersusMetric, RankedPlace | null>>;
}

/** Puts the rankings together into rows. */
export function versusRows({ targets, rankings }: VersusResult): VersusRow[] {
  const main = rankings[0]!;
  const placeOf = (ranking: Ranking, name: string): RankedPlace | null =>
    ranking.places.find(({ target }) => target === name) ?? null;
  const rows = targets.map((target): VersusRow => {
    const cells = Object.fromEntries(
      rankings.map((ranking) => [ranking.metric, placeOf(ranking, target.name)]),
    );
    return { target, place: placeText(main, target.name), cells: cells as VersusRow['cells'] };
  });
  const at = ({ target }: VersusRow): number => {
    const index = main.places.findIndex((place) => place.target === target.name);
    return index < 0 ? Infinity : index;
  };
  return rows.sort((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** A target's place in one ranking. */
export function placeText({ places }: Ranking, name: string): string {
  const own = places.find(({ target }) => target === name);
  if (own === undefined) return '–';
  const shared = places.some(({ target, rank }) => target !== name && rank === own.rank);
  return `${own.rank}${shared ? '=' : ''}`;
}

/** A figure with its letters; letters are left out where nobody could be told apart from anybody. */
export function cellText(metric: VersusMetric, place: RankedPlace | null, letters: boolean): string {
  if (place === null) return '–';
  return versusColumns[metric].show(place.median) + (letters ? ` ${place.ties}` : '');
}

/** The interval of a place as text. */
export function intervalText(metric: VersusMetric, { low, high }: RankedPlace): string {
  const { show } = versusColumns[metric];
  return `${show(low)} … ${show(high)}`;
}

/** How a place compares with the first: `0.31 × (0.30 … 0.32)`. */
export function toBestText({ toBest }: RankedPlace): string {
  if (toBest === null) return '';
  const figure = (ratio: number): string =>
    ratio >= 99.5 ? ratio.toFixed(0) : ratio >= 9.95 ? ratio.toFixed(1) : ratio.toFixed(2);
  return `${figure(toBest.ratio)} × (${figure(toBest.low)} … ${figure(toBest.high)})`;
}

/** What must be said below a contest's table: how it was decided, what was doubtful, what was done otherwise. */
export function versusNotes(result: VersusResult): string[] {
  const { targets, rankings, pairConfidence, rounds } = result;
  const confidence = rankings.flatMap(({ places }) => places)[0]?.confidence;
  const doubtful = targets.flatMap(({ name, runs }) => {
    const counted = runs.filter(({ reason, doubts }) => reason === null && doubts.length > 0);
    return counted.length === 0
      ? []
      : [`${name}: ${counted.length} of ${runs.length} runs are suspect: ${counted[0]!.doubts[0]}`];
  });
  return [
    pairConfidence === null
      ? `${formatAmount(rounds, 'round')}: too few to tell any two apart, so that all are tied; 4 or more would`
      : `figures are medians over ${formatAmount(rounds, 'round')}; whoever shares a letter in a column cannot be told apart there (pairs at ${formatPercent(pairConfidence)})`,
    ...(confidence === undefined || pairConfidence === null
      ? []
      : [`intervals hold the median at ${formatPercent(confidence)}`]),
    ...doubtful,
    ...targets.flatMap(({ name, differs }) =>
      differs.map((difference) => `${name} was asked otherwise: ${difference}`),
    ),
    ...(result.ended === 'interrupted' ? ['interrupted: not all rounds were run'] : []),
  ];
}

/** The name of a target with its version. */
export function targetText({ name, version }: VersusTarget): string {
  return version === null ? name : `${name} ${version}`;
}

/** Failed calls over all of a target's runs. */
export function failedShare({ runs }: VersusTarget): number | null {
  const counted = runs.map(({ calls }) => calls).filter((calls) => calls !== null);
  const started = counted.reduce((sum, calls) => sum + calls.started, 0);
  return started === 0 ? null : counted.reduce((sum, { failed }) => sum + failed, 0) / started;
}
