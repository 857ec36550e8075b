import { gateOrder, type OverallGate as Gate } from '../../src/compare/gates.js';
import { formatPercent } from '../../src/result/units.js';
import { machineLine, table } from '../bench/bench-report.js';
import type { SettingOutcome } from './outcome.js';
import type { PromiseCheck } from './promise.js';
import type { Trial } from './trial.js';

/** All settings as Markdown: what was run, what was promised, what was seen. */
export function aaReport(outcomes: readonly SettingOutcome[]): string {
  return [
    '# Comparisons, by real runs',
    '',
    'Made by `npm run aa`: every run goes through the real controller against a mock in a process of its own, A B B A …, and every comparison is the one of `mcp-bench compare`. A/A comparisons have the same server on both sides (half of them A, half B): whatever they find is a false alarm. A/B comparisons have the slowed server as head.',
    '',
    ...outcomes.flatMap((outcome) => ['', ...settingReport(outcome)]),
  ].join('\n');
}

/** One setting of it. */
export function settingReport(outcome: SettingOutcome): string[] {
  const { runs, suspect, runsASide, trials, disjoint, change } = outcome;
  const size = runs.A.length + runs.B.length;
  return [
    `## ${outcome.title}`,
    '',
    machineLine(outcome.date, outcome.machine),
    '',
    outcome.about,
    '',
    `- Pool: ${runs.A.length} runs of A and ${runs.B.length} of B, ${outcome.seconds} s each and a warm-up, in ${outcome.minutes.toFixed(0)} minutes. ${suspectText(outcome)}`,
    `- Variation between runs of one server (coefficient of variation, 95 % interval): ${variationText(outcome)}.`,
    `- What there was to be found, by all ${size} runs: p50 of B ${changeText(change.ratio)} (${changeText(change.low)} to ${changeText(change.high)}).`,
    `- ${trials.equal.length} A/A and ${trials.slowed.length} A/B comparisons of ${runsASide} runs against ${runsASide}, drawn without replacement, each run as often as any other. ${disjoint.equal} of the A/A and ${disjoint.slowed} of the A/B share no run with one another; the rest draws the same runs anew, so the intervals, which take all for independent, are narrower than the truth.`,
    '',
    ...table(
      ['', 'seen', 'share', '95 % interval (Clopper–Pearson)', 'promise', ''],
      outcome.checks.map(checkRow),
    ),
    '',
    `Verdicts on the gates, A/A then A/B, of ${trials.equal.length} and ${trials.slowed.length}:`,
    '',
    ...verdictTable(trials.equal, trials.slowed),
    '',
    suspect.length > 0 ? `Suspect runs by reason: ${reasonsText(outcome)}.` : 'No run was suspect.',
    '',
  ];
}

function checkRow({ what, count, total, interval, promise, verdict }: PromiseCheck): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    what,
    `${count} of ${total}`,
    percent(count / total),
    `${percent(interval.low)} to ${percent(interval.high)}`,
    promise,
    verdict,
  ];
}

function verdictTable(equal: readonly Trial[], slowed: readonly Trial[]): string[] {
  const verdicts = [...new Set([...equal, ...slowed].flatMap(({ verdicts }) => Object.values(verdicts)))];
  const count = (trials: readonly Trial[], gate: Gate, verdict: string): number =>
    trials.filter(({ verdicts }) => verdicts[gate] === verdict).length;
  return table(
    ['gate', ...verdicts],
    gateOrder.map((gate) => [
      gate,
      ...verdicts.map((verdict) => `${count(equal, gate, verdict)}, ${count(slowed, gate, verdict)}`),
    ]),
  );
}

function suspectText({ suspect, runs }: SettingOutcome): string {
  const of = runs.A.length + runs.B.length + suspect.length;
  return suspect.length === 0
    ? 'None was suspect.'
    : `${suspect.length} of ${of} runs made were suspect; they were left out and repeated in their turn, as \`compare\` would have refused them.`;
}

function reasonsText({ suspect }: SettingOutcome): string {
  const counts = new Map<string, number>();
  for (const reason of suspect.flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function variationText({ variation }: SettingOutcome): string {
  return Object.entries(variation)
    .map(([metric, found]) =>
      found === null
        ? `${metric} unknown`
        : `${metric} ${formatPercent(found.cv)} (${formatPercent(found.low)} to ${formatPercent(found.high)})`,
    )
    .join(', ');
}

function changeText(ratio: number): string {
  const percent = 100 * (ratio - 1);
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
