import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { type History, historyOf } from '../../compare/history.js';
import { Failure } from '../../failure.js';
import { htmlHistory } from '../../report/page/history/history-html.js';
import { terminalHistory } from '../../report/history/history-terminal.js';
import { printForActions } from '../actions.js';
import { wantsColour } from '../colour.js';
import { parseReportFiles, writeReportFiles } from '../reports/report-files.js';
import { readResultsIn, type StoredResult } from '../reports/result-files.js';
import { printableJson } from '../../text/one-line.js';

interface Flags {
  name: string;
  in: string;
  metric?: string[];
  last?: number;
  report?: string[];
  quiet: boolean;
  color?: boolean;
}

const kinds = ['html', 'json'] as const;

/** `mcp-bench history`: the trend of a scenario over its stored results. */
export function historyCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: (given) => {
      show(given);
      done(0);
    },
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .positional('name', { type: 'string', describe: 'name of the scenario, as in its results' })
    .option('in', {
      type: 'string',
      default: 'results',
      requiresArg: true,
      describe: 'read results from this folder',
    })
    .option('metric', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'show only this one, e.g. p99 (repeatable)',
    })
    .option('last', { type: 'number', requiresArg: true, describe: 'show only this many of the newest runs' })
    .option('report', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: `${kinds.join('|')}=FILE (repeatable)`,
    })
    .option('quiet', { type: 'boolean', default: false, alias: 'q', describe: 'print nothing' })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 history steady', 'all metrics of the scenario "steady"')
    .example('$0 history steady --report html=steady.html', 'the same as a page');
}

function show(given: ArgumentsCamelCase<Flags>): void {
  const files = parseReportFiles(given.report, kinds);
  if (given.last !== undefined && !(Number.isInteger(given.last) && given.last > 0))
    throw new Failure(`--last: expected a whole number above 0, found ${given.last}.`);
  const history = load(given);
  if (!given.quiet)
    printForActions(
      terminalHistory(history, { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 }),
    );
  writeReportFiles(files, {
    html: () => htmlHistory(history),
    json: () => printableJson(`${JSON.stringify(history, null, 1)}\n`),
  });
}

function load(given: Flags): History {
  const stored = readResultsIn(given.in);
  const newest = given.last === undefined ? stored : newestOf(stored, given.name, given.last);
  const history = historyOf(given.name, newest);
  if (history === undefined) throw nothingFound(given, stored);
  if (given.metric === undefined) return history;
  const unknown = given.metric.find((metric) => !history.trends.some((trend) => trend.metric === metric));
  if (unknown !== undefined)
    throw new Failure(
      `--metric: there is no "${unknown}": ${history.trends.map(({ metric }) => metric).join(', ')}.`,
    );
  return { ...history, trends: history.trends.filter(({ metric }) => given.metric!.includes(metric)) };
}

function newestOf(stored: readonly StoredResult[], name: string, most: number): StoredResult[] {
  return stored
    .filter(({ result }) => result.name === name)
    .sort((a, b) => (a.result.startedAt < b.result.startedAt ? -1 : 1))
    .slice(-most);
}

function nothingFound(given: Flags, stored: readonly StoredResult[]): Failure {
  const names = [...new Set(stored.map(({ result }) => result.name))].sort();
  if (names.includes(given.name))
    return new Failure(`all results of "${given.name}" in ${given.in} are suspect or were cut short.`);
  return new Failure(
    `${given.in} holds no result of "${given.name}"` +
      (names.length > 0 ? `: it has ${names.slice(0, 20).join(', ')}.` : ', nor any other.'),
  );
}
