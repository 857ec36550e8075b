import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatPercent,
  formatRate,
} from '../../result/units.js';
import {
  type RankedPlace,
  type Ranking,
  type VersusMetric,
  versusMetrics,
  type VersusResult,
  type VersusTarget,
} from '../../versus/versus-result.js';
import { describeLoad } from '../run/describe-load.js';

/** What the columns of a contest are called, and how their figures are written. */
export const versusColumns: Readonly<
  Record<VersusMetric, { title: string; section: string; long: string; show(value: number): string }>
> = {
  callsPerSec: { title: 'calls/s', section: 'Calls/s', long: 'Calls answered per second', show: formatRate },
  p50: { title: 'p50', section: 'p50', long: 'Response time, median', show: formatDuration },
  p99: { title: 'p99', section: 'p99', long: 'Response time, 99th percentile', show: formatDuration },
  handshake: { title: 'handshake', section: 'Handshake', long: 'Handshake, median', show: formatDuration },
  cpuPer1000Calls: {
    title: 'CPU/1,000',
    section: 'CPU',
    long: 'CPU of the server for 1,000 calls',
    show: formatDuration,
  },
  memoryPerSession: {
    title: 'mem/session',
    section: 'Memory per session',
    long: 'Memory of the server for each session',
    show: formatBytes,
  },
  peakMemory: {
    title: 'peak mem',
    section: 'Peak memory',
    long: 'Memory of the server at its highest',
    show: formatBytes,
  },
};

/** A line of a contest's table. */
export interface VersusRow {
  readonly target: VersusTarget;
  /** `1`, `2=` for a shared place, `–` for none. */
  readonly place: string;
  readonly cells: Readonly<Record<VersusMetric, RankedPlace | null>>;
}

/** The rows of a contest's table: the ranked ones first, best first, then those that are not ranked. */
export function versusRows({ targets, rankings }: VersusResult): VersusRow[] {
  const main = rankings[0]!;
  const rows = targets.map((target): VersusRow => {
    const cells = Object.fromEntries(
      rankings.map(({ metric, places }) => [
        metric,
        places.find((place) => place.target === target.name) ?? null,
      ]),
    );
    return { target, place: placeText(main, target.name), cells: cells as VersusRow['cells'] };
  });
  const at = ({ target }: VersusRow): number => {
    const index = main.places.findIndex((place) => place.target === target.name);
    return index < 0 ? main.places.length : index;
  };
  return rows.sort((a, b) => at(a) - at(b));
}

/** Metrics that anybody has a figure of: a contest of URLs knows nothing of CPU and memory. */
export function shownMetrics({ rankings }: VersusResult): VersusMetric[] {
  const known = rankings.filter(({ places }) => places.length > 0).map(({ metric }) => metric);
  return versusMetrics.filter((metric) => known.includes(metric));
}

/** A target's place in one ranking. */
export function placeText({ places }: Ranking, name: string): string {
  const own = places.find(({ target }) => target === name);
  if (own === undefined) return '–';
  const shared = places.some(({ target, place }) => target !== name && place === own.place);
  return `${own.place}${shared ? '=' : ''}`;
}

/** A figure with the letters of its ties; without them where nobody could be told apart from anybody. */
export function cellText(
  { rankings, targets }: VersusResult,
  metric: VersusMetric,
  place: RankedPlace | null,
): string {
  if (place === null) return '–';
  const letters = rankings.find((ranking) => ranking.metric === metric)?.confidence != null;
  const weak = isWeak(targets, metric, place) ? '*' : '';
  const disturbed = isDisturbed(targets, metric, place.target) ? '~' : '';
  return figureOf(metric, place.median) + disturbed + weak + (letters ? ` ${place.ties}` : '');
}

/** A tool of the mix, and the text of its median for each target, with the letters of its ties. */
export function toolColumns({
  toolRankings,
  targets,
}: VersusResult): { tool: string; cell(target: string, metric?: 'p50' | 'p99'): string }[] {
  const tools = [...new Set(toolRankings.map(({ tool }) => tool))];
  return tools.map((tool) => ({
    tool,
    cell: (target, metric = 'p50') => {
      const ranking = toolRankings.find((each) => each.tool === tool && each.metric === metric);
      const place = ranking?.places.find((each) => each.target === target);
      if (ranking === undefined || place === undefined) return '–';
      const disturbed = isDisturbed(targets, `${tool} ${metric}`, target) ? '~' : '';
      return (
        figureOf(metric, place.median) + disturbed + (ranking.confidence === null ? '' : ` ${place.ties}`)
      );
    },
  }));
}

/** Whether the generator may have moved a figure in some run that counts. */
export function isDisturbed(targets: readonly VersusTarget[], key: string, name: string): boolean {
  const runs = targets.find((target) => target.name === name)?.runs ?? [];
  return runs.some(({ state, disturbed }) => state === 'ok' && key in disturbed);
}

/** Whether a figure has too few calls beyond it in some run. */
export function isWeak(
  targets: readonly VersusTarget[],
  metric: VersusMetric,
  { target }: RankedPlace,
): boolean {
  const runs = targets.find(({ name }) => name === target)?.runs ?? [];
  return runs.some(({ weak }) => weak.includes(metric));
}

/** A figure of a metric; `failed` where failed calls reach into it. */
export function figureOf(metric: VersusMetric, value: number): string {
  return value === Infinity ? 'failed' : versusColumns[metric].show(value);
}

/** The interval of a median as text. */
export function intervalText(metric: VersusMetric, { interval }: RankedPlace): string {
  const [low, high] = [figureOf(metric, interval.low), figureOf(metric, interval.high)];
  return low === high ? low : `${low} … ${high}`;
}

/** How a place compares with the first: `0.31 × (0.30 … 0.32)`. */
export function toFirstText({ toFirst }: RankedPlace): string {
  if (toFirst === null) return '';
  const figure = (ratio: number | null): string => (ratio === null ? '?' : ratioFigure(ratio));
  const { ratio, low, high } = toFirst;
  return `${figure(ratio)} ×${low === null && high === null ? '' : ` (${figure(low)} … ${figure(high)})`}`;
}

// A server that is a thousand times slower than the first is not 0.00 × as fast.
function ratioFigure(ratio: number): string {
  if (ratio >= 99.5) return formatCount(Math.round(ratio));
  if (ratio >= 9.95) return ratio.toFixed(1);
  return ratio >= 0.0995 ? ratio.toFixed(2) : String(Number(ratio.toPrecision(2)));
}

/** What was done, in a few items. */
export function versusFacts({ scenario, targets, rounds, durationMs }: VersusResult): string[] {
  const lengthMs = scenario.phases.reduce((sum, { durationNs }) => sum + (durationNs ?? 0) / 1e6, 0);
  return [
    formatAmount(targets.length, 'target'),
    formatAmount(rounds, 'round') + (lengthMs > 0 ? ` of ${formatElapsed(lengthMs)}` : ''),
    scenario.warmupNs === 0 ? 'no warm-up' : `${formatElapsed(scenario.warmupNs / 1e6)} warm-up`,
    formatAmount(scenario.sessions.count, 'session'),
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : formatAmount(scenario.phases.length, 'phase'),
    `${formatElapsed(durationMs)} in all`,
  ];
}

/** How it was decided, in a sentence or two. */
export function methodNotes({ rankings, toolRankings, rounds }: VersusResult): string[] {
  const [main] = rankings;
  const { metric, confidence, places, rounds: used } = main!;
  const interval = places[0]?.interval;
  const pairs = (places.length * (places.length - 1)) / 2;
  if (interval === undefined) return [];
  const decided =
    confidence === null
      ? `${formatAmount(used, 'round')}: too few to tell any two apart, so that all are tied; 4 or more would.`
      : `Targets that share a letter in a column cannot be told apart there. Two differ only where both Tukey's test and Games and Howell's say so, at ${formatPercent(1 - confidence)}${pairs === 1 ? '' : ` over all ${formatCount(pairs)} pairs of the column`}: of the columns of equal servers at most one in ${Math.round(1 / (1 - confidence))} shows a difference. A place is one more than the number of targets that are better for certain.`;
  return [
    `Ranked by ${versusColumns[metric].long.toLowerCase()}: medians over the rounds, each target started anew for each.`,
    ...(pairs === 0 ? [] : [decided]),
    ...(confidence !== null && used < rounds
      ? [`Only the ${formatAmount(used, 'round')} are compared in which every target has a figure.`]
      : []),
    ...(toolRankings.some(({ confidence: level }) => level !== null)
      ? ['By tool, the same holds for the columns of all tools together.']
      : []),
    ...(interval.confidence === 0
      ? []
      : [
          `Intervals of medians are order statistics (${formatPercent(interval.confidence)})${confidence === null ? '' : ', those of ratios the wider of the two tests’'}.`,
        ]),
  ];
}

/** What the columns are made of, where that needs words. */
export function columnNotes(result: VersusResult): string[] {
  const shown = shownMetrics(result);
  const weak = result.targets.some(({ runs }) => runs.some((run) => run.weak.length > 0));
  const unknown = result.targets.filter(({ command }) => command === null).map(({ name }) => name);
  return [
    ...(allKeptUp(result)
      ? ['Calls/s: all kept up with the rate that they were offered, so it tells nobody apart.']
      : []),
    ...(shown.includes('cpuPer1000Calls')
      ? [
          'CPU: all processes of the server, from the first call of the warm-up to the last answer. Memory: resident, all processes; a session’s is what came on top of the idle server when all were open, before the first call.',
        ]
      : []),
    ...(result.targets.some(({ runs }) =>
      runs.some(({ state, disturbed }) => state === 'ok' && Object.keys(disturbed).length > 0),
    )
      ? ['~ disturbed by the generator in a run: it tells apart only those whom that could not have moved.']
      : []),
    ...(weak ? ['* too few calls beyond this percentile in a run for it to mean much there by itself.'] : []),
    ...(unknown.length > 0
      ? [`CPU and memory are unknown of what was not started here: ${unknown.join(', ')}.`]
      : []),
  ];
}

function allKeptUp({ targets }: VersusResult): boolean {
  const runs = targets
    .filter(({ reason }) => reason === null)
    .flatMap((target) => target.runs.filter(({ state }) => state === 'ok'));
  return runs.length > 0 && runs.every(({ achieved }) => achieved === true);
}

/** What is doubtful about single targets, or was done otherwise with them. */
export function targetNotes(result: VersusResult): { target: string | null; text: string }[] {
  const { targets, ended } = result;
  const shared = sharedFindings(result);
  const own = (findings: readonly string[]): string[] =>
    findings.filter((text) => !shared.some((each) => each.kind === kindOf(text)));
  return [
    ...shared.map(({ text }) => ({ target: null, text })),
    ...(ended === 'interrupted' ? [{ target: null, text: 'interrupted: not all rounds were run' }] : []),
    ...slowTools(result),
    ...targets.flatMap(({ name, reason, runs: all, askedInstead }) => {
      const runs = all.filter(({ state }) => state === 'ok');
      const suspect = all.filter(({ state }) => state === 'suspect');
      return [
        ...(suspect.length === 0 || reason !== null
          ? []
          : [
              {
                target: name,
                text: `${formatAmount(suspect.length, 'suspect run')} ${suspect.length === 1 ? 'was' : 'were'} made again: ${suspect[0]!.reason}`,
              },
            ]),
        ...repeated(runs.map(({ findings }) => own(findings))).map((text) => ({ target: name, text })),
        ...(askedInstead === null
          ? []
          : [{ target: name, text: `asked ${askedInstead.join(', ')} instead` }]),
      ];
    }),
  ];
}

/** What was found with several targets is said once: `all 16 runs: …`, or with whom. */
function sharedFindings({ targets }: VersusResult): { kind: string; text: string }[] {
  const runs = targets.flatMap(({ name, runs: all }) =>
    all.filter(({ state }) => state === 'ok').map(({ findings }) => ({ name, findings })),
  );
  const found = new Map<string, { example: string; runs: number; names: Set<string> }>();
  for (const { name, findings } of runs)
    for (const text of new Map(findings.map((each) => [kindOf(each), each])).values()) {
      const kind = kindOf(text);
      const seen = found.get(kind) ?? { example: text, runs: 0, names: new Set<string>() };
      seen.runs++;
      found.set(kind, { ...seen, names: seen.names.add(name) });
    }
  return [...found]
    .filter(([, { names }]) => names.size > 1)
    .map(([kind, { example, runs: count, names }]) => ({
      kind,
      text:
        count === runs.length
          ? `all ${count} runs: ${example}`
          : `${count} of ${runs.length} runs (${[...names].join(', ')}): ${example}`,
    }));
}

/** Figures in such texts differ from run to run. */
function kindOf(finding: string): string {
  return finding.replace(/\d[\d,.]*/g, '#');
}

/** Tools in which a target is behind for certain, though the table has it level with whoever is first there. */
function slowTools({ rankings, toolRankings }: VersusResult): { target: string; text: string }[] {
  const lettersOf = (name: string): string =>
    rankings[0]!.places.find(({ target }) => target === name)?.ties ?? '';
  const told = new Set<string>();
  return toolRankings.flatMap(({ tool, metric, places }) => {
    const [first, ...others] = places;
    return others
      .filter(
        ({ target, ties }) =>
          !told.has(`${target} ${tool}`) &&
          ![...first!.ties].some((letter) => ties.includes(letter)) &&
          [...lettersOf(first!.target)].some((letter) => lettersOf(target).includes(letter)),
      )
      .map((place) => {
        told.add(`${place.target} ${tool}`);
        const ratio = toFirstText(place);
        return {
          target: place.target,
          text: `level with ${first!.target} over all calls, but not in ${tool}: its ${metric} is ${figureOf(metric, place.median)}${ratio === '' ? '' : `, ${ratio}`}`,
        };
      });
  });
}

/** `in 3 of 5 runs: …`: the most frequent kind only; figures in such texts differ from run to run. */
function repeated(runs: readonly (readonly string[])[]): string[] {
  const some = runs.filter(({ length }) => length > 0);
  return some.length === 0
    ? []
    : [`in ${some.length} of ${formatAmount(runs.length, 'run')}: ${some[0]![0]}`];
}

/** The name of a target with what is said about it. */
export function aboutText({ about, server }: VersusTarget): string {
  return about ?? (server === null ? '' : `${server.name} ${server.version}`.trim());
}

/** Failed calls over all of a target's runs; null where none was made. */
export function failedShare({ runs }: VersusTarget): number | null {
  const counted = runs.map(({ calls }) => calls).filter((calls) => calls !== null);
  const started = counted.reduce((sum, calls) => sum + calls.started, 0);
  return started === 0 ? null : counted.reduce((sum, { failed }) => sum + failed, 0) / started;
}
