import type { Argv } from 'yargs';
import { comparisonFlags, type ComparisonFlags } from './comparison-flags.js';
import { comparisonKinds } from '../reports/comparison-kinds.js';

/** The flags of `run` that make several runs of one, or compare them. */
export interface RepeatFlags extends ComparisonFlags {
  repeat: number;
  rerunDisturbed: number;
  baseline?: string[];
  untilConclusive: boolean;
  maxRuns?: number;
  comparisonReport?: string[];
}

/** Adds them to a command. */
export function repeatFlags<Flags>(yargs: Argv<Flags>): Argv<Flags & RepeatFlags> {
  const group = 'Comparing:';
  return comparisonFlags(
    yargs
      .option('repeat', {
        type: 'number',
        default: 1,
        requiresArg: true,
        describe: 'repeat the run this many times, with a result file each, and summarise',
      })
      .option('rerun-disturbed', {
        type: 'number',
        default: 0,
        requiresArg: true,
        describe: 'repeat a run, at most this many times, if the generator disturbed the figures asked for',
      })
      .option('baseline', {
        group,
        type: 'string',
        array: true,
        describe: 'compare with these result files, or folders of them; use it with --repeat 5',
      })
      .option('until-conclusive', {
        group,
        type: 'boolean',
        default: false,
        describe: 'with --baseline: repeat as long as the comparison is inconclusive',
      })
      .option('max-runs', {
        group,
        type: 'number',
        requiresArg: true,
        describe: 'with --until-conclusive: make at most this many runs (default: three times --repeat)',
      })
      .option('comparison-report', {
        group,
        type: 'string',
        array: true,
        nargs: 1,
        describe: `with --baseline: write a report, ${comparisonKinds.join('|')}=FILE (repeatable)`,
      }),
    // yargs names the options in both spellings, its types only as they were written.
  ) as unknown as Argv<Flags & RepeatFlags>;
}
