import { median } from '../../src/compare/median.js';
import { show, table } from '../bench/bench-report.js';
import { latencyLoad, stallLoad, trueStallP99Ms } from './peer-loads.js';
import type { FlatOut, HttpTransport, PeerFigures, PeersRecord } from './peer-figures.js';

const transports: Record<HttpTransport, string> = {
  sse: 'HTTP+SSE',
  sessions: 'Streamable HTTP, sessions (2025-11-25)',
  stateless: 'Streamable HTTP, stateless (2026-07-28)',
};

/** The record as Markdown: a table for each transport, the fastest first, and how to read it. */
export function peersMarkdown({ machine, figures, skipped }: PeersRecord): string {
  const dates = [...new Set(figures.map(({ date }) => date.slice(0, 10)))].sort();
  const commits = [...new Set(figures.map(({ git }) => git ?? 'no commit'))].sort();
  const lines = [
    `${dates.join(', ')} · ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node} · ${commits.join(', ')}`,
  ];
  for (const [transport, title] of Object.entries(transports)) {
    const own = figures.filter((figure) => figure.transport === transport);
    if (own.length > 0) lines.push('', `### ${title}`, '', ...tableOf(own));
  }
  const failures = figures.flatMap(({ peer, transport, reason }) =>
    reason === null ? [] : [`- ${peer}, ${transport}: ${reason.replaceAll('\n', ' ')}`],
  );
  const left = Object.entries(skipped).map(([name, reason]) => `- ${name}: ${reason.replaceAll('\n', ' ')}`);
  if (failures.length + left.length > 0)
    lines.push('', 'Not measured, or not all of it:', '', ...failures, ...left);
  return lines.join('\n');
}

function tableOf(figures: readonly PeerFigures[]): string[] {
  const rank = ({ postsOnly, flatOut }: PeerFigures): number =>
    postsOnly ? 0 : (middle(flatOut, ({ callsPerSec }) => callsPerSec) ?? 0);
  const titles = [
    'client',
    'calls/s',
    'CPU a call',
    'resident',
    `reports for ${latencyLoad.latencyMs} ms: p50, p99`,
    'it took by the mock’s log',
    `reports for a stall: p99 (true: ${trueStallP99Ms} ms)`,
    'of so many calls',
  ];
  const rows = figures
    .toSorted((a, b) => rank(b) - rank(a))
    .map((figure) => {
      const { peer, about, paces, postsOnly, flatOut, latency, stall } = figure;
      const whatItIs = about.startsWith(peer) ? about : `\`${peer}\`, ${about}`;
      const ms = (value: number | null | undefined): string => (value == null ? '–' : show(value));
      return [
        postsOnly ? `${whatItIs}: POSTs alone` : whatItIs,
        text(
          middle(flatOut, ({ callsPerSec }) => callsPerSec),
          show,
        ),
        text(
          middle(flatOut, ({ cpuUs }) => cpuUs),
          (us) => `${show(us)} µs`,
        ),
        text(
          middle(flatOut, ({ residentBytes }) => residentBytes),
          (bytes) => `${show(bytes / 1e6)} MB`,
        ),
        latency === null ? '–' : `${ms(latency.p50Ms)}, ${ms(latency.p99Ms)} ms`,
        latency === null ? '–' : `${ms(latency.trueP50Ms)}, ${ms(latency.trueP99Ms)} ms`,
        stall === null ? '–' : `${ms(stall.p99Ms)} ms${paces ? '' : ' (closed loop)'}`,
        stall === null ? '–' : callsText(stall.calls, stall.notStarted),
      ];
    });
  return table(titles, rows);
}

function callsText(calls: number, notStarted: number | null): string {
  const due = stallLoad.perSecond * stallLoad.seconds;
  const left = notStarted === null || notStarted === 0 ? '' : `, ${Math.round(notStarted)} never started`;
  return `${show(calls)}${left}${calls === due ? ' (all that were due)' : ''}`;
}

function middle(rounds: readonly FlatOut[], of: (round: FlatOut) => number): number | null {
  return rounds.length === 0 ? null : median(rounds.map(of));
}

function text(value: number | null, how: (value: number) => string): string {
  return value === null ? '–' : how(value);
}
