import type { ArgumentsCamelCase, Argv } from 'yargs';
import { baselineObjections } from '../../compare/comparability.js';
import type { CommandCode } from '../command-code.js';
import { compareRuns } from '../../compare/compare-runs.js';
import { ExitCode, Failure } from '../../failure.js';
import { exitCodeOf } from '../../result/run-verdict.js';
import { formatAmount } from '../../result/units.js';
import { wantsColour } from '../colour.js';
import { comparisonFlags, type ComparisonFlags } from '../flags/comparison-flags.js';
import { knownVariation, parseComparisonFlags } from '../flags/read-comparison-flags.js';
import { parseReportFiles } from '../reports/report-files.js';
import { readResults } from '../reports/result-files.js';
import { comparisonKinds } from '../reports/comparison-kinds.js';
import { showComparison } from '../reports/show-comparison.js';
import { tell } from '../tell.js';

interface Flags extends ComparisonFlags {
  base: string[];
  against?: string[];
  check: boolean;
  label?: string[];
  report?: string[];
  quiet: boolean;
  color?: boolean;
}

/** `mcp-bench compare`: compares stored results, and says by its exit code whether there is a regression. */
export function compareCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
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
        describe: 'result files, or folders of them, from after the change',
      })
      .option('check', {
        type: 'boolean',
        default: false,
        describe: 'only check whether runs can be a baseline: exit with 3 for failed, suspect or mixed ones',
      })
      .option('label', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'name the sides: first base, then head',
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
        describe: 'use colours (default: on a terminal); --no-color switches them off',
      }),
  )
    .example('$0 compare base-*.json --against head-*.json', 'five runs a side tell more than two')
    .example('$0 compare before/ --against after/ --margin p99=20%', 'all results of two folders')
    .example('$0 compare new/ --check && cp new/*.json baseline/', 'keep only what can be compared later')
    .epilogue(
      'Exit codes: 0 no regression, also where inconclusive · 2 bad usage · 3 the runs cannot be compared · 4 regression',
    );
}

function compare(given: ArgumentsCamelCase<Flags>): number {
  if (given.check) return check(given);
  if (given.against === undefined)
    throw new Failure('say what to compare with: --against <result files from after the change>');
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
  return exitCodeOf(
    showComparison(
      { comparison, base: baseRuns, head: headRuns },
      { reports, quiet: given.quiet, colour: wantsColour(given.color) },
    ),
  );
}

function check({ base, against, quiet }: Flags): number {
  if (against !== undefined) throw new Failure('--check looks at one side only: leave --against out.');
  const results = readResults(base).map(({ result }) => result);
  const objections = baselineObjections(results);
  for (const { message } of objections) tell(`no baseline: ${message}`);
  if (objections.length > 0) return ExitCode.invalid;
  if (!quiet) console.log(`${formatAmount(results.length, 'run')} can be a baseline`);
  return ExitCode.pass;
}

function labelsFrom(given: string[] | undefined): { base: string; head: string } {
  if (given !== undefined && given.length > 2)
    throw new Failure('--label: give it at most twice, first for base and then for head.');
  return { base: given?.[0] || 'base', head: given?.[1] || 'head' };
}
