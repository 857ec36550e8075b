import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { compareRuns } from '../compare/compare-runs.js';
import { Failure } from '../failure.js';
import { wantsColour } from './colour.js';
import {
  comparisonFlags,
  knownVariation,
  parseComparisonFlags,
  type ComparisonFlags,
} from './comparison-flags.js';
import { parseReportFiles } from './report-files.js';
import { readResults } from './result-files.js';
import { comparisonKinds, showComparison } from './show-comparison.js';

interface Flags extends ComparisonFlags {
  base: string[];
  against: string[];
  label?: string[];
  report?: string[];
  quiet: boolean;
  color?: boolean;
}

/** `mcp-bench compare`: compares stored results, and says by its exit code whether there is a regression. */
export function compareCommand(done: (exitCode: number) => void): CommandModule<object, Flags> {
  return {
    command: 'compare <base..>',
    describe: 'Compare stored results: did it get slower?',
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: (given) => done(compare(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return comparisonFlags(
    yargs
      .positional('base', {
        type: 'string',
        array: true,
        describe: 'result files, or folders of them, from before the change',
      })
      .option('against', {
        type: 'string',
        array: true,
        demandOption: 'say what to compare with: --against <result files from after the change>',
        describe: 'result files, or folders of them, from after the change',
      })
      .option('label', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'what to call the sides: first base, then head',
      })
      .option('report', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: `${comparisonKinds.join('|')}=FILE (repeatable)`,
      })
      .option('quiet', { type: 'boolean', default: false, alias: 'q', describe: 'print no table' })
      .option('color', {
        type: 'boolean',
        describe: 'colours (default: on a terminal); --no-color switches them off',
      }),
  )
    .example('$0 compare base-*.json --against head-*.json', 'five runs a side tell more than two')
    .example('$0 compare before/ --against after/ --margin p99=20%', 'all results of two folders')
    .epilogue(
      'Exit codes: 0 no regression, also where inconclusive · 2 bad usage · 3 the runs cannot be compared · 4 regression',
    );
}

function compare(given: ArgumentsCamelCase<Flags>): number {
  const reports = parseReportFiles(given.report, comparisonKinds);
  const options = parseComparisonFlags(given);
  const [base, head] = [readResults(given.base), readResults(given.against)];
  const [baseRuns, headRuns] = [base.map(({ result }) => result), head.map(({ result }) => result)];
  const comparison = compareRuns(baseRuns, headRuns, {
    ...options,
    known: knownVariation(given, [...baseRuns, ...headRuns]),
    labels: labelsFrom(given.label),
    paths: { base: base.map(({ path }) => path), head: head.map(({ path }) => path) },
  });
  return showComparison(
    { comparison, base: baseRuns, head: headRuns },
    { reports, quiet: given.quiet, colour: wantsColour(given.color) },
  );
}

function labelsFrom(given: string[] | undefined): { base: string; head: string } {
  if (given !== undefined && given.length > 2)
    throw new Failure('--label: give it at most twice, first for base and then for head.');
  return { base: given?.[0] || 'base', head: given?.[1] || 'head' };
}
