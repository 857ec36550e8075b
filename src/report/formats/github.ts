import type { Comparison } from '../../compare/comparison.js';
import { ExitCode } from '../../failure.js';
import type { RunResult } from '../../result/result.js';
import { exitCodeOf, judgeRun } from '../../result/run-verdict.js';
import { changeText, comparisonHeadline, intervalText, marginText } from '../comparison/comparison-text.js';
import { outcomeHeadline } from '../run/headline.js';
import { oneLine } from '../../text/one-line.js';

/** Actions shows ten annotations of a kind per step, and drops the others. */
const mostAnnotations = 10;

/** Workflow commands that mark in a pull request what a comparison came to: one per regression, or one that says why nothing is known. */
export function comparisonAnnotations(comparison: Comparison): string[] {
  const name = oneLine(comparison.name);
  const { outcome, rows, refusals, notes } = comparison;
  if (outcome === 'refused')
    return refusals
      .slice(0, mostAnnotations)
      .map(({ message }) => command('error', `mcp-bench ${name}: runs cannot be compared`, message));
  const regressions = rows
    .filter(({ verdict, decides }) => decides && verdict === 'regression')
    .map((row) =>
      command(
        'error',
        `mcp-bench ${name}: regression of ${row.metric}`,
        `${changeText(row)} (${intervalText(row)}, margin ${marginText(row)})`,
      ),
    );
  if (outcome !== 'inconclusive') return regressions;
  const why = notes.find(({ code }) => ['disturbed', 'inconclusive', 'undecided'].includes(code));
  return [
    command('notice', `mcp-bench ${name}: inconclusive`, why?.message ?? comparisonHeadline(comparison).text),
  ];
}

/** Workflow commands for what is wrong with a run: missed and undecided thresholds, and figures not to be trusted. */
export function runAnnotations(result: RunResult): string[] {
  const name = oneLine(result.name);
  const missed = result.thresholds
    .filter(({ state }) => state === 'fail')
    .slice(0, mostAnnotations)
    .map(({ metric, rule, detail }) =>
      command('error', `mcp-bench ${name}: threshold missed`, `${metric} ${rule}: ${detail}`),
    );
  const undecided = result.thresholds
    .filter(({ state }) => state === 'undecided')
    .slice(0, mostAnnotations)
    .map(({ metric, rule, detail }) =>
      command('warning', `mcp-bench ${name}: threshold undecided`, `${metric} ${rule}: ${detail}`),
    );
  const suspect = result.validity.reasons
    .slice(0, mostAnnotations)
    .map(({ message }) => command('warning', `mcp-bench ${name}: suspect measurement`, message));
  const failed =
    exitCodeOf(judgeRun(result)) === ExitCode.runFailed
      ? [command('error', `mcp-bench ${name}: the run failed`, outcomeHeadline(result).text)]
      : [];
  return [...failed, ...missed, ...undecided, ...suspect];
}

/** Text for the log of a step, in which no line is taken for a workflow command, wherever it comes from. */
export function fenced(text: string, token: string): string {
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${escapeProperty(oneLine(title))}::${escapeData(oneLine(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
