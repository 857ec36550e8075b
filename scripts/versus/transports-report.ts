import { median } from '../../src/compare/median.js';
import { medianInterval } from '../../src/versus/median-interval.js';
import type { VersusMetric, VersusResult, VersusTarget } from '../../src/versus/versus-result.js';
import { show, table } from '../bench/bench-report.js';

/** One server over each of its transports; its first target is what the others are compared with. */
export interface TransportContest {
  readonly name: string;
  readonly about: string;
  readonly result: VersusResult;
}

const columns: readonly { title: string; metric: VersusMetric; text: (value: number) => string }[] = [
  { title: 'calls/s', metric: 'callsPerSec', text: show },
  { title: 'p50', metric: 'p50', text: (ns) => `${show(ns / 1e6)} ms` },
  { title: 'CPU a call', metric: 'cpuPer1000Calls', text: (ns) => `${show(ns / 1e6)} µs` },
  { title: 'handshake', metric: 'handshake', text: (ns) => `${show(ns / 1e6)} ms` },
  { title: 'memory a session', metric: 'memoryPerSession', text: (bytes) => `${show(bytes / 1000)} kB` },
];
const compared: readonly VersusMetric[] = ['callsPerSec', 'p50', 'cpuPer1000Calls'];

/** All contests as one Markdown table: medians, and ratios to the first transport of each server with their intervals. */
export function transportsMarkdown(contests: readonly TransportContest[]): string {
  const [first] = contests;
  const titles = [
    'server',
    'transport',
    ...columns.map(({ title }) => title),
    '× calls/s',
    '× p50',
    '× CPU a call',
  ];
  const lines = [
    first === undefined ? 'No contest was held.' : conditions(contests, first.result),
    '',
    ...table(titles, contests.flatMap(rowsOf)),
  ];
  const left = contests.flatMap(({ name, result }) =>
    result.targets.flatMap((target) =>
      target.reason === null ? [] : [`- ${name}, ${target.name}: ${target.reason.replaceAll('\n', ' ')}`],
    ),
  );
  if (left.length > 0) lines.push('', 'Not measured:', '', ...left);
  return lines.join('\n');
}

// The load is that of the scenario, and the same for all; how many rounds there were is not.
function conditions(contests: readonly TransportContest[], { scenario, environment }: VersusResult): string {
  const [phase] = scenario.phases;
  const load = phase!.load;
  const inFlight = load.model === 'closed' ? load.inFlight : 1;
  const { cpu, cores, os, node } = environment;
  const each = (of: (result: VersusResult) => string | number | null): string =>
    [...new Set(contests.map(({ result }) => of(result)).filter((value) => value !== null))].join(' and ');
  const commits = each((result) => result.environment.git);
  return [
    `${each(({ startedAt }) => startedAt.slice(0, 10))}, ${cores} cores of ${cpu}, ${os}, Node ${node}${commits === '' ? '' : `, ${commits}`}.`,
    `Closed loop, ${scenario.sessions.count} session${scenario.sessions.count === 1 ? '' : 's'} × ${inFlight} calls in flight, ${scenario.warmupNs / 1e9} s warm-up and ${(phase!.durationNs ?? 0) / 1e9} s measured, ${each(({ rounds }) => rounds)} rounds in a balanced order, the server started anew for each; generator and server share the cores.`,
    `Medians of the rounds. Ratios are to the first transport of the same server, taken within each round: the median, and its interval of ${each(({ rounds }) => `${show(confidenceOf(rounds) * 100)} %`)}. An interval that holds 1 shows no difference.`,
  ].join(' ');
}

function confidenceOf(rounds: number): number {
  return medianInterval(Array.from({ length: rounds }, (_, n) => n)).confidence;
}

function rowsOf({ name, about, result }: TransportContest): string[][] {
  const base = result.targets[0]!;
  return result.targets
    .filter((target) => valuesOf(target, 'callsPerSec').some((value) => value !== null))
    .map((target, place) => [
      place === 0 ? `${name} (${about})` : '',
      target.name,
      ...columns.map(({ metric, text }) => figure(target, metric, text)),
      ...compared.map((metric) => (target === base ? '' : ratio(base, target, metric))),
    ]);
}

function valuesOf({ runs }: VersusTarget, metric: VersusMetric): (number | null)[] {
  return runs.map(({ state, figures }) => (state === 'ok' ? figures[metric] : null));
}

function figure(target: VersusTarget, metric: VersusMetric, text: (value: number) => string): string {
  const values = valuesOf(target, metric).filter((value) => value !== null);
  return values.length === 0 ? '–' : text(median(values));
}

/** How much of the base's figure the target has, by rounds in which both have one. */
function ratio(base: VersusTarget, target: VersusTarget, metric: VersusMetric): string {
  const byRound = new Map(base.runs.map((run) => [run.round, run]));
  const ratios = target.runs.flatMap((run) => {
    const other = byRound.get(run.round);
    if (run.state !== 'ok' || other?.state !== 'ok') return [];
    const [own, its] = [run.figures[metric], other.figures[metric]];
    return own === null || its === null || its === 0 ? [] : [own / its];
  });
  if (ratios.length === 0) return '–';
  const { low, high } = medianInterval(ratios);
  const rounds = ratios.length < base.runs.length ? `, ${ratios.length} rounds` : '';
  return `${show(median(ratios))} (${show(low)} … ${show(high)}${rounds})`;
}
