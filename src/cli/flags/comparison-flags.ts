import type { Argv } from 'yargs';

/** The flags of whatever compares runs. */
export interface ComparisonFlags {
  margin?: string[];
  floor?: string;
  gates?: string;
  calibration?: string;
  history?: string;
  allowTransport?: boolean;
}

/** Adds them to a command. */
export function comparisonFlags<Flags>(yargs: Argv<Flags>): Argv<Flags & ComparisonFlags> {
  const group = 'Comparing:';
  return yargs
    .option('margin', {
      group,
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'set the change that matters, e.g. p50=5% (repeatable; defaults: errors=0.1% p50=5% p99=10% throughput=5%)',
    })
    .option('floor', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'never fail for latency changes below this (default: 0.1ms)',
    })
    .option('gates', {
      group,
      type: 'string',
      requiresArg: true,
      describe:
        'fail for these metrics only, of tools too: "p50,search p50" (default: errors,p50,p99,throughput)',
    })
    .option('calibration', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'use this output of mcp-bench calibrate (default: results/calibration-<host>.json)',
    })
    .option('history', {
      group,
      type: 'string',
      requiresArg: true,
      describe: 'learn from older results in this folder how much runs vary',
    })
    .option('allow-transport', {
      group,
      type: 'boolean',
      describe: 'also compare runs over different transports or eras of MCP',
    });
}
