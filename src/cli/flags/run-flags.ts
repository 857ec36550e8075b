import type { Argv } from 'yargs';
import { otlpFlag } from './otlp-flag.js';
import { repeatFlags, type RepeatFlags } from './repeat-flags.js';
import { type TransportFlags, transportFlags } from './transport-flags.js';
import { runReportKinds } from '../reports/run-reports.js';

/** What `mcp-bench run` can be told. */
export interface RunFlags extends RepeatFlags, TransportFlags {
  scenario?: string;
  target?: string;
  dialect?: string;
  out?: string;
  report?: string[];
  otlp?: string;
  sessions?: number;
  tool?: string;
  arguments?: string;
  arg?: string[];
  inFlight?: number;
  calls?: number;
  save?: string;
  duration?: string;
  rate?: string;
  workers?: number;
  posts?: string;
  header?: string[];
  insecure?: boolean;
  tag?: string[];
  threshold?: string[];
  mock?: string[];
  targetPid?: number;
  seed?: number;
  strict: boolean;
  dryRun: boolean;
  quiet: boolean;
  verbose?: boolean;
  json?: boolean;
  summary?: boolean;
  color?: boolean;
}

/** Adds its options, with the help. */
export function runFlags(yargs: Argv<object>): Argv<RunFlags> {
  return transportFlags(otlpFlag(repeatFlags(yargs)))
    .positional('scenario', {
      type: 'string',
      describe:
        'YAML file, or a stock scenario by name (mcp-bench scenarios lists them); without one the flags say what to call',
    })
    .option('target', {
      type: 'string',
      describe:
        'measure the server at this URL (default: start the built-in mock); without a path /mcp and /sse are tried',
      requiresArg: true,
    })
    .option('dialect', {
      type: 'string',
      describe: 'speak this protocol dialect (default: detect)',
      requiresArg: true,
    })
    .option('tool', {
      type: 'string',
      describe: 'call this tool, instead of what the scenario calls',
      requiresArg: true,
    })
    .option('arguments', {
      type: 'string',
      describe: 'pass these arguments to the tool, as JSON; strings may hold templates such as {{seq}}',
      requiresArg: true,
    })
    .option('arg', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'pass one argument, key=value: a JSON value, or else text (repeatable)',
    })
    .option('sessions', {
      type: 'number',
      describe: 'open this many sessions (default: as in the scenario, or 10)',
      requiresArg: true,
    })
    .option('in-flight', {
      type: 'number',
      describe:
        'keep this many calls in flight per session (default: as in the scenario, or 1); with --rate: at most this many (default: 16)',
      requiresArg: true,
    })
    .option('calls', {
      type: 'number',
      describe: 'stop after this many calls over all sessions',
      requiresArg: true,
    })
    .option('duration', {
      type: 'string',
      describe:
        'scale all timed phases to this length together, e.g. 30s (default: as in the scenario, or 5s)',
      requiresArg: true,
    })
    .option('rate', {
      type: 'string',
      describe:
        'set the highest rate of the paced phases, e.g. 500/s (default: as in the scenario, or as fast as calls are answered)',
      requiresArg: true,
    })
    .option('save', {
      type: 'string',
      describe: 'without a scenario: save the run as one, to this new file',
      requiresArg: true,
    })
    .option('posts', {
      type: 'string',
      describe:
        'use connections for POSTs like this: serial, pipelined:1, shared:16 (default: as in the scenario, or serial)',
      requiresArg: true,
    })
    .option('workers', {
      type: 'number',
      describe: 'use this many worker threads (default: cores − 1)',
      requiresArg: true,
    })
    .option('header', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'send an extra request header "Name: value" (repeatable)',
    })
    .option('insecure', { type: 'boolean', describe: "do not verify the server's certificate" })
    .option('threshold', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'fail the run unless this holds, e.g. "call.response: p(99) < 250ms" (repeatable)',
    })
    .option('tag', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'record k=v in the result (repeatable)',
    })
    .option('mock', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'set an option of the built-in mock, e.g. --mock latency=5ms (repeatable)',
    })
    .option('target-pid', {
      type: 'number',
      requiresArg: true,
      describe: 'measure CPU and memory of this process (default: whoever listens on the server’s port)',
    })
    .option('seed', {
      type: 'number',
      describe: 'set the seed of every random choice (default: as in the scenario, or 1)',
      requiresArg: true,
    })
    .option('out', {
      type: 'string',
      describe: 'write the result to this file (default: results/<name>-<time>.json); - is standard output',
      requiresArg: true,
    })
    .option('report', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: `write a report, ${runReportKinds.join('|')}=FILE (repeatable); - is standard output`,
    })
    .option('strict', {
      type: 'boolean',
      default: false,
      describe: 'exit with 3 if the measurement is suspect or a threshold undecided',
    })
    .option('dry-run', {
      type: 'boolean',
      default: false,
      describe: 'show what would be done, and do nothing',
    })
    .option('quiet', {
      type: 'boolean',
      default: false,
      alias: 'q',
      describe: 'print no progress and no report, only write the result file',
    })
    .option('verbose', { type: 'boolean', describe: 'show all figures, not only the main ones' })
    .option('json', {
      type: 'boolean',
      describe: 'print the result as JSON instead of the report',
    })
    .option('summary', { type: 'boolean', describe: 'print one line instead of the report' })
    .option('color', {
      type: 'boolean',
      describe:
        'use colours (default: on a terminal, or by FORCE_COLOR and NO_COLOR); --no-color switches them off',
    })
    .example('$0 run smoke', 'a few seconds against the built-in mock')
    .example(
      '$0 run --target http://127.0.0.1:3000/mcp --tool echo --arg message=hi --rate 100/s',
      'one tool, no file',
    )
    .example('$0 run burst --target http://127.0.0.1:3000/sse', 'your own server')
    .example('$0 run smoke -- node server.js --flag', 'a stdio server, started for each session')
    .example('$0 run steady --rate 1000/s --duration 30s', 'the same scenario, another load')
    .example(
      '$0 run my.yaml --repeat 5 --baseline baseline/',
      'did it get slower? Five runs, then the verdict',
    )
    .epilogue(
      'Exit codes: 0 pass · 1 the run failed (target unreachable or gone, no call made, all calls failed) · 2 bad usage · 3 counts do not add up, measurement suspect or threshold undecided (--strict), or baseline not comparable · 4 regression (--baseline) · 99 thresholds failed · 130 interrupted',
    ) as unknown as Argv<RunFlags>;
}
