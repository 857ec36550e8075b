import { failedCalls } from '../../../result/conservation.js';
import type { Note, RunResult } from '../../../result/result.js';
import { formatCount, formatElapsed, formatPercent, formatRate } from '../../../result/units.js';
import { targetAddress } from '../../../result/target-address.js';
import { speechOf, transportOf } from '../../../result/transport-of.js';
import { describeLoad } from '../../run/describe-load.js';
import { outcomeHeadline, validityHeadline } from '../../run/headline.js';
import { latencyRow, marksOf, percentiles } from '../../run/latency-rows.js';
import { duration } from './latency-table.js';
import { markup, type Content, type Markup } from '../markup.js';
import { noteList, verdictBox } from '../comparison/verdict-box.js';
import { gravestFirst, thresholdMarks } from '../../run/threshold-marks.js';

/** The top of the page: what was run, how it came out, whether to believe it and why not, and the figures one looks for first. */
export function summary(result: RunResult): Markup {
  return markup`${heading(result)}
<div class="verdicts">
${verdictBox(outcomeHeadline(result), thresholdList(result))}
${verdictBox(validityHeadline(result), [
  noteList(withState('bad', result.validity.reasons)),
  noteList(withState('doubt', result.validity.warnings)),
])}
${
  result.findings.length > 0 &&
  verdictBox(
    { state: 'doubt', word: 'about the target', text: '' },
    noteList(withState('doubt', result.findings)),
  )
}
</div>
${keyFigures(result)}`;
}

function heading({ name, target, scenario, durationMs, startedAt }: RunResult): Markup {
  const server = target.server ? `${target.server.name} ${target.server.version}` : 'server unknown';
  const load =
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : `${scenario.phases.length} phases`;
  const items = [
    targetAddress(target),
    server,
    transportOf(target).title,
    speechOf(target),
    `${formatCount(scenario.sessions.count)} sessions, ${load}, ${formatElapsed(durationMs)}`,
  ];
  return markup`<h1>${name}</h1>
<p class="subtitle">${items.map((item) => markup`<span>${item}</span> `)}<time datetime="${startedAt}">${dateText(startedAt)}</time></p>`;
}

function thresholdList({ thresholds }: RunResult): Content {
  if (thresholds.length === 0) return null;
  const items = gravestFirst(thresholds).map(({ metric, rule, detail, state }) => {
    const { style, sign, word } = thresholdMarks[state];
    return markup`<li class="${style}"><span class="mark" aria-hidden="true">${sign}</span><code>${metric} ${rule}</code> <span>${word}${detail}</span></li>`;
  });
  return markup`<ul class="checks" aria-label="Thresholds">${items}</ul>`;
}

function withState<State extends 'bad' | 'doubt'>(
  state: State,
  notes: readonly Note[],
): (Note & { state: State })[] {
  return notes.map((note) => ({ ...note, state }));
}

function keyFigures(result: RunResult): Markup {
  const { totals, sessions, metrics } = result;
  const response = metrics['call.response'];
  const failed = failedCalls(totals.outcomes);
  const offered = totals.offeredPerSec;
  const { availability } = totals;
  const row = response && response.count > 0 ? latencyRow('call.response', response) : null;
  const latency = (title: 'p50' | 'p99', more = ''): [string, string, string] => {
    const cell = row?.cells[percentiles.findIndex((each) => each.title === title)];
    if (cell === undefined) return [`response ${title}`, '–', ''];
    const between = cell.between && `${duration(cell.between.low)} to ${duration(cell.between.high)}`;
    const below = [between, cell.weak && 'too few samples', more].filter(Boolean).join(', ');
    return [`response ${title}`, duration(cell.ns) + marksOf(cell), below];
  };
  const figures: [string, string, string][] = [
    [
      'calls per second',
      formatRate(totals.callsPerSec),
      offered === null || offered === 0
        ? ''
        : `${formatPercent(totals.callsPerSec / offered)} of the ${formatRate(offered)} offered`,
    ],
    latency('p50'),
    latency('p99', row === null ? '' : `max ${duration(response!.max)}`),
    [
      'calls failed',
      formatPercent(totals.started === 0 ? 0 : failed / totals.started),
      `${formatCount(failed)} of ${formatCount(totals.started)}`,
    ],
    ...(availability?.share == null
      ? []
      : [
          [
            'availability',
            formatPercent(availability.share),
            availability.downMs > 0 ? `${formatElapsed(availability.downMs)} down` : '',
          ] satisfies [string, string, string],
        ]),
    [
      'sessions ready',
      formatCount(sessions.ready),
      `of ${formatCount(sessions.opened)} opened${sessions.dropped > 0 ? `, ${formatCount(sessions.dropped)} dropped` : ''}`,
    ],
  ];
  return markup`<dl class="figures">${figures.map(
    ([name, value, more]) => markup`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`,
  )}</dl>`;
}

function dateText(iso: string): string {
  return iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}
