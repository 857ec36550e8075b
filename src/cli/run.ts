import { join, parse } from 'node:path';
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { ExitCode } from '../failure.js';
import { failedCalls } from '../result/conservation.js';
import type { RunResult } from '../result/result.js';
import { runAnnotations } from '../report/github.js';
import { markdownReport } from '../report/markdown.js';
import { checkWritable } from '../result/write-file.js';
import { writeResult } from '../result/write-result.js';
import { terminalReport } from '../report/terminal.js';
import { type Executed, executePlan } from '../run/run.js';
import { describePlan } from '../scenario/describe-plan.js';
import { loadScenario } from '../scenario/load-scenario.js';
import type { Plan } from '../scenario/plan.js';
import { addStepSummary, inActions, printForActions } from './actions.js';
import { wantsColour } from './colour.js';
import { planRepetition, repeatFlags, repeatRuns, type RepeatFlags, type Repetition } from './repeat.js';
import { watchRun } from './run-progress.js';
import { otlpFlag, parseOtlpFlag, sendOtlp } from './send-otlp.js';
import { parseReportFlags, runReportKinds, writeReports } from './write-reports.js';

interface Flags extends RepeatFlags {
  scenario: string;
  target?: string;
  dialect?: string;
  out?: string;
  report?: string[];
  otlp?: string;
  sessions?: number;
  duration?: string;
  rate?: string;
  workers?: number;
  posts?: string;
  header?: string[];
  insecure?: boolean;
  tag?: string[];
  threshold?: string[];
  mock?: string[];
  seed?: number;
  strict: boolean;
  dryRun: boolean;
  quiet: boolean;
  color?: boolean;
}

/** `mcp-bench run`: runs a scenario, writes its result, prints the report. */
export function runCommand(done: (exitCode: number) => void): CommandModule<object, Flags> {
  return {
    command: 'run <scenario>',
    describe: 'Run a scenario against a server, or against the built-in mock',
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await run(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return otlpFlag(repeatFlags(yargs))
    .positional('scenario', { type: 'string', describe: 'YAML file; stock ones are in scenarios/' })
    .option('target', {
      type: 'string',
      describe: "URL of the server's event stream; without it the built-in mock is started",
      requiresArg: true,
    })
    .option('dialect', {
      type: 'string',
      describe: 'how the server speaks, where it should not be found out',
      requiresArg: true,
    })
    .option('sessions', {
      type: 'number',
      describe: 'number of sessions, instead of the scenario’s',
      requiresArg: true,
    })
    .option('duration', {
      type: 'string',
      describe: 'length of all timed phases together, e.g. 30s',
      requiresArg: true,
    })
    .option('rate', {
      type: 'string',
      describe: 'highest rate of the paced phases, e.g. 500/s',
      requiresArg: true,
    })
    .option('posts', {
      type: 'string',
      describe: 'POST policy: serial, pipelined:1, shared:16',
      requiresArg: true,
    })
    .option('workers', { type: 'number', describe: 'worker threads (default: cores − 1)', requiresArg: true })
    .option('header', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'extra request header "Name: value" (repeatable)',
    })
    .option('insecure', { type: 'boolean', describe: "do not verify the server's certificate" })
    .option('threshold', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'e.g. "call.response: p(99) < 250ms" (repeatable)',
    })
    .option('tag', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'k=v, kept in the result (repeatable)',
    })
    .option('mock', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'option for the built-in mock, e.g. --mock latency=5ms (repeatable)',
    })
    .option('seed', { type: 'number', describe: 'decides every random choice', requiresArg: true })
    .option('out', {
      type: 'string',
      describe: 'result file (default: results/<name>-<time>.json)',
      requiresArg: true,
    })
    .option('report', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: `${runReportKinds.join('|')}=FILE (repeatable)`,
    })
    .option('strict', {
      type: 'boolean',
      default: false,
      describe: 'exit 3 where the measurement is suspect',
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
      describe: 'no progress and no report, only the result file',
    })
    .option('color', {
      type: 'boolean',
      describe: 'colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 run scenarios/smoke.yaml', 'a few seconds against the built-in mock')
    .example('$0 run scenarios/burst.yaml --target http://127.0.0.1:3000/sse', 'your own server')
    .example('$0 run scenarios/steady.yaml --rate 1000/s --duration 30s', 'the same scenario, another load')
    .example(
      '$0 run my.yaml --repeat 5 --baseline baseline/',
      'did it get slower? Five runs, then the verdict',
    )
    .epilogue(
      'Exit codes: 0 pass · 1 the run failed · 2 bad usage · 3 measurement suspect (--strict) or baseline not comparable · 4 regression (--baseline) · 99 thresholds failed · 130 interrupted',
    );
}

async function run(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const reports = parseReportFlags(given.report);
  const otlp = parseOtlpFlag(given.otlp);
  const plan = loadScenario(given.scenario, overridesFrom(given));
  if (given.dryRun) {
    console.log(describePlan(plan));
    return ExitCode.pass;
  }
  for (const path of [given.out ?? join('results', 'run.json'), ...reports.map((report) => report.path)])
    checkWritable(path);
  const repetition = planRepetition(given, plan);
  const colour = wantsColour(given.color);
  return repeatRuns(repetition, given, colour, async (number, of) => {
    const { result, failure } = await execute(plan, given, colour);
    const named = (file: string): string => numbered(file, number, repetition.most);
    const print = (path?: string): void => {
      const width = process.stdout.columns ?? 100;
      if (!given.quiet && of === 1) printForActions(terminalReport(result, { colour, width, path }));
    };
    const path = orElse(print, () =>
      writeResult(result, given.out === undefined ? {} : { path: named(given.out) }),
    );
    const files = reports.map((report) => ({ ...report, path: named(report.path) }));
    orElse(
      () => print(path),
      () => writeReports(result, files),
    );
    print(path);
    tellActions(result, repetition);
    // A collector that is down says nothing about the server measured: the exit code stays what the run came to.
    const unsent = otlp === null ? null : await sendOtlp(result, otlp);
    if (unsent !== null)
      console.error(
        `mcp-bench: warning: metrics not sent, ${unsent} (the exit code is the run's; to send them again: mcp-bench report ${path} --otlp …)`,
      );
    if (failure !== null) throw failure;
    return { result, path, exitCode: exitCodeFor(result, given.strict) };
  });
}

/** What cannot be kept, because the disk is full, can still be looked at. */
function orElse<Value>(show: () => void, keep: () => Value): Value {
  try {
    return keep();
  } catch (error) {
    show();
    throw error;
  }
}

/** Of several runs each has files of its own: `out.json` becomes `out-1.json`, `out-2.json`. */
function numbered(path: string, number: number, of: number): string {
  if (of === 1) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${number}${ext}`);
}

function tellActions(result: RunResult, { most, baseline }: Repetition): void {
  if (!inActions()) return;
  for (const line of runAnnotations(result)) console.log(line);
  if (most === 1 && baseline.length === 0) addStepSummary(markdownReport(result));
}

/** What a finished run means for whoever started it. */
function exitCodeFor(result: RunResult, strict: boolean): number {
  const { started, outcomes } = result.totals;
  if (result.ended === 'interrupted') return ExitCode.interrupted;
  if (started > 0 && failedCalls(outcomes) === started) return ExitCode.runFailed;
  if (!result.totals.conserved) return ExitCode.invalid;
  if (result.thresholds.some(({ pass }) => !pass)) return ExitCode.thresholds;
  if (strict && result.validity.state === 'suspect') return ExitCode.invalid;
  return ExitCode.pass;
}

async function execute(plan: Plan, given: Flags, colour: boolean): Promise<Executed> {
  const tty = process.stderr.isTTY === true;
  const display = given.quiet
    ? null
    : watchRun(plan, { tty, colour: tty && colour, width: process.stderr.columns ?? 100 });
  let controls: { stop(): void; abort(): void } | null = null;
  let interrupts = 0;
  const onSignal = (): void => {
    interrupts++;
    if (interrupts === 1) controls?.stop();
    else controls?.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await executePlan(plan, {
      ...display?.watcher,
      mockArgs: (given.mock ?? []).map((option) => `--${option}`),
      onWarning: (message) => console.error(`mcp-bench: warning: ${message}`),
      onControls: (handed) => {
        controls = handed;
        if (interrupts > 0) handed.stop();
      },
    });
  } finally {
    display?.finish();
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

function overridesFrom(given: Flags): Parameters<typeof loadScenario>[1] {
  const { target, dialect, sessions, duration, rate, posts, workers, seed, insecure } = given;
  const named = { target, dialect, sessions, duration, rate, posts, workers, seed, insecure };
  const lists = { headers: given.header, tags: given.tag, thresholds: given.threshold };
  return Object.fromEntries(
    Object.entries({ ...named, ...lists }).filter(([, value]) => value !== undefined),
  );
}
