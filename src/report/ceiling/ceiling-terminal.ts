import type { CeilingReport } from '../../ceiling/ceiling-report.js';
import {
  formatAmount,
  formatCount,
  formatDuration,
  formatElapsed,
  formatPercent,
  formatRate,
} from '../../result/units.js';
import { truncate, wrap } from '../formats/display-width.js';
import { createStyle } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable } from '../formats/text-table.js';

const words = {
  'http-front': 'the HTTP front',
  'tool-path': 'the tool path',
  unclear: 'not to be told from this',
} as const;

// What it means that a POST was accepted depends on what it was, and on who answers it.
function floodText({ transport, flood: { method } }: CeilingReport): string {
  if (transport === 'sse')
    return `POSTs of ${method}, accepted by their 2xx; calls are answered on the event stream`;
  return method === 'server/discover'
    ? `POSTs of ${method}, which no tool is called for, accepted by their whole answer; without sessions there is no smaller request`
    : `POSTs of ${method}, accepted by their 2xx; calls are answered in the body of their own POST`;
}

/** A ceiling as a page of text: POSTs beside calls, and which of them is the limit. */
export function ceilingTerminal(report: CeilingReport, options: { colour: boolean; width: number }): string {
  const style = createStyle(options.colour);
  const width = Math.max(40, Math.min(options.width, 110));
  const { flood, calls, limit, backlogMs } = report;
  const refused = Object.entries(flood.refused).map(([status, count]) => `${formatCount(count)} × ${status}`);
  const atLeast = (busy: number): string => (busy >= 0.9 ? '≥ ' : '');
  const table = textTable(
    [
      { title: '', align: 'left' },
      { title: 'per second', align: 'right' },
      { title: 'p50', align: 'right' },
      { title: 'p99', align: 'right' },
      { title: 'client busy', align: 'right', expendable: 1 },
    ],
    [
      [
        'POSTs accepted',
        atLeast(flood.clientBusy) + formatRate(flood.acceptedPerSec),
        formatDuration(flood.p50Ms * 1e6),
        formatDuration(flood.p99Ms * 1e6),
        formatPercent(flood.clientBusy),
      ],
      [
        'calls answered',
        atLeast(calls.clientBusy) + formatRate(calls.perSec),
        formatDuration(calls.p50Ns),
        formatDuration(calls.p99Ns),
        formatPercent(calls.clientBusy),
      ],
    ],
    width - 2,
  );
  const what = calls.tool === null ? 'ping' : `${calls.tool} ${JSON.stringify(calls.arguments)}`;
  const notes = [
    floodText(report),
    `${formatAmount(report.sessions, 'session')}; ${formatAmount(flood.connections, 'connection')} for the POSTs, then ${formatAmount(calls.inFlight, 'call')} in flight on each session`,
    `calls of ${what}`,
    flood.errors > 0 || refused.length > 0
      ? `of the flood, ${[...refused, `${formatCount(flood.errors)} errors`].join(', ')}`
      : '',
    calls.failed > 0 ? `${formatAmount(calls.failed, 'call')} failed` : '',
    flood.events > 0 ? `${formatAmount(flood.events, 'event')} came on the stream during the flood` : '',
    backlogMs === null
      ? 'after the flood the session answered nothing any more'
      : backlogMs > 100
        ? `after the flood the next call took ${formatElapsed(backlogMs)}: what had been accepted had still to be worked off`
        : '',
  ].filter(Boolean);
  return [
    style.strong(truncate(oneLine(report.server), width)),
    style.faint(
      truncate(
        oneLine(`${report.url} · ${report.transport === 'sse' ? report.dialect : report.spoken}`),
        width,
      ),
    ),
    '',
    ...table.map((line, at) => `  ${at === 0 ? style.strong(line) : line}`),
    '',
    ...wrap(
      `The limit is ${words[limit.is]}: ${limit.why} (calls are ${formatPercent(limit.share)} of POSTs).`,
      width,
    ).map((line) => style.strong(line)),
    ...notes.flatMap((note) => wrap(oneLine(note), width - 2)).map((line) => style.faint(`  ${line}`)),
    '',
  ].join('\n');
}
