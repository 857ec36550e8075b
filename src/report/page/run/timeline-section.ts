import type { RunResult } from '../../../result/result.js';
import { formatCount, formatRate } from '../../../result/units.js';
import { gatherFrames, type Frame } from './frames.js';
import { duration } from './latency-table.js';
import { markup, type Content } from '../markup.js';
import type { BandData, ChartData } from '../page-data.js';
import { roundFigure } from '../round-figure.js';
import { chartFigure, type Section } from '../section.js';
import { figure, foldedTable, type TableCell } from '../table.js';

const mostPoints = 600;
const mostRows = 120;

/** How the run went, second by second: throughput, latency, errors and sessions below one another, phases marked. */
export function timelineSection(result: RunResult, frames: readonly Frame[]): Section | null {
  if (frames.length === 0) return null;
  const charts = timelineCharts(result, gatherFrames(frames, mostPoints));
  return {
    id: 'timeline',
    title: 'Timeline',
    charts,
    body: markup`<p class="note zoom">Drag over a chart to zoom in, double-click to zoom out.</p>
${disturbedNote(result)}
${charts.map((chart) => chartFigure(chart, captions[chart.id]!, `${captions[chart.id]} over time; the arrow keys move along it, and the table below holds all figures`))}
${timelineTable(gatherFrames(frames, mostRows))}`,
  };
}

/** Single seconds are not judged: that would take as long as all the rest of the page. */
function disturbedNote({ metrics }: RunResult): Content {
  const moved = metrics['call.response']?.disturbed?.filter((key) => key === 'p50' || key === 'p99') ?? [];
  if (moved.length === 0) return null;
  return markup`<p class="note">The ${moved.join(' and ')} of the whole run ${moved.length === 1 ? 'is' : 'are'} disturbed by the generator, and so may be those of single seconds: they are shown as measured.</p>`;
}

const captions: Record<string, string> = {
  throughput: 'Calls per second',
  'latency-over-time': 'Response time',
  errors: 'Failed calls per second',
  sessions: 'Sessions and calls in flight',
};

function timelineCharts(result: RunResult, frames: readonly Frame[]): ChartData[] {
  const open = result.totals.offeredPerSec !== null;
  const middles = frames.map(({ atMs, durationMs }) => Math.round(atMs + durationMs / 2) / 1000);
  const perSec = (count: (frame: Frame) => number): number[] =>
    frames.map((frame) => roundFigure((count(frame) * 1000) / Math.max(1, frame.durationMs)));
  const bands = phaseBands(result, frames);
  const chart = (
    id: string,
    heightPx: number,
    y: ChartData['y'],
    series: ChartData['series'],
  ): ChartData => ({
    id,
    heightPx,
    x: { unit: 'seconds', values: middles, labelled: id === 'sessions' },
    y,
    series,
    bands: id === 'throughput' ? bands : bands.map((band) => ({ ...band, label: '' })),
    group: 'time',
  });
  const latency = (figure: 'p50' | 'p99'): (number | null)[] =>
    frames.map(({ response }) => (response ? roundFigure(response[figure]) : null));
  return [
    chart('throughput', 190, { unit: 'perSec', log: false }, [
      { name: 'ok', colour: 1, values: perSec(({ ok }) => ok), fill: true },
      ...(open
        ? [{ name: 'offered', colour: 6, values: perSec(({ started }) => started), dash: [4, 3], thin: true }]
        : []),
    ]),
    chart('latency-over-time', 190, { unit: 'ns', log: true }, [
      { name: 'p50', colour: 1, values: latency('p50') },
      { name: 'p99', colour: 2, values: latency('p99'), dash: [8, 3] },
    ]),
    chart('errors', 120, { unit: 'perSec', log: false }, [
      { name: 'failed', colour: 2, values: perSec(({ failed }) => failed), fill: true },
      ...(frames.some(({ notSent }) => notSent > 0)
        ? [{ name: 'not sent', colour: 4, values: perSec(({ notSent }) => notSent), dash: [4, 3] }]
        : []),
    ]),
    chart('sessions', 150, { unit: 'count', log: false }, [
      { name: 'sessions ready', colour: 3, values: frames.map(({ sessionsReady }) => sessionsReady) },
      {
        name: 'calls in flight',
        colour: 4,
        values: frames.map(({ inFlight }) => inFlight),
        dash: [8, 3],
      },
    ]),
  ];
}

/** The phases, every other one shaded, and what the run waited for after them. */
function phaseBands(result: RunResult, frames: readonly Frame[]): BandData[] {
  const last = frames.at(-1)!;
  const endSec = (last.atMs + last.durationMs) / 1000;
  const phases = result.phases.map(({ name, startMs, durationMs }, at) => ({
    from: startMs / 1000,
    to: (startMs + durationMs) / 1000,
    label: name,
    shaded: at % 2 === 1,
  }));
  const overSec = result.durationMs / 1000;
  const drained = endSec - overSec > 0.5;
  return drained ? [...phases, { from: overSec, to: endSec, label: 'drain', shaded: true }] : phases;
}

function timelineTable(frames: readonly Frame[]): Section['body'] {
  const rows = frames.map(({ atMs, durationMs, response, ...frame }): TableCell[] => {
    const perSec = (count: number): TableCell => ({
      shown: formatRate((count * 1000) / Math.max(1, durationMs)),
    });
    const time = (key: 'p50' | 'p99' | 'max'): TableCell => ({
      shown: response ? duration(response[key]) : '–',
    });
    return [
      { shown: `${roundFigure(atMs / 1000)} s` },
      perSec(frame.ok),
      time('p50'),
      time('p99'),
      time('max'),
      perSec(frame.failed),
      perSec(frame.notSent),
      { shown: formatCount(frame.sessionsReady) },
      { shown: formatCount(frame.inFlight) },
    ];
  });
  const columns = ['from', 'ok/s', 'p50', 'p99', 'max', 'failed/s', 'not sent/s', 'sessions', 'in flight'];
  return foldedTable('The timeline as a table', columns.map(figure), rows);
}
