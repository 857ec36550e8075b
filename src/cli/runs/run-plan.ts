import { join, parse } from 'node:path';
import { Failure } from '../../failure.js';
import type { RunResult } from '../../result/result.js';
import { judgeRun } from '../../result/run-verdict.js';
import { runAnnotations } from '../../report/formats/github.js';
import { markdownReport } from '../../report/run/markdown.js';
import { checkWritable } from '../../result/write-file.js';
import { writeResult } from '../../result/write-result.js';
import { terminalReport } from '../../report/run/terminal.js';
import { type Executed, executePlan } from '../../run/run.js';
import type { Plan } from '../../scenario/plan.js';
import { ProcessTree } from '../../machine/process-tree.js';
import { addStepSummary, inActions, printForActions } from '../actions.js';
import { wantsColour } from '../colour.js';
import type { OtlpReceiver } from '../flags/otlp-flag.js';
import { checkTools } from './check-tools.js';
import { interruptible } from './interrupts.js';
import { nextSteps } from './next-steps.js';
import { planRepetition, repeatRuns, type Repetition } from './repeat.js';
import type { ReportFile } from '../reports/report-files.js';
import type { RunReportKind } from '../reports/run-reports.js';
import type { RunFlags } from '../flags/run-flags.js';
import { watchRun } from './run-progress.js';
import { sendOtlp } from '../reports/send-otlp.js';
import { writeReports } from '../reports/write-reports.js';
import { tell } from '../tell.js';
import { rerunDisturbed } from './rerun-disturbed.js';
import { disturbedWanted } from '../../result/wanted-figures.js';
import { gateOrder } from '../../compare/gates.js';

/** Where the figures of a run go beside its result file. */
interface Outlets {
  readonly reports: readonly ReportFile<RunReportKind>[];
  readonly otlp: OtlpReceiver | null;
  /** What standard output holds instead of the report. */
  readonly forPrograms: RunReportKind | null;
  /** Say what to try next: nothing but the server was named. */
  readonly isFirstLook: boolean;
}

/** Runs a plan as often as asked for, keeps and shows the results, and returns the exit code. */
export async function runPlan(
  plan: Plan,
  given: RunFlags,
  { reports, otlp, forPrograms, isFirstLook }: Outlets,
): Promise<number> {
  const isStored = given.out !== '-';
  if (isStored) checkWritable(given.out ?? join('results', 'run.json'));
  checkTargetPid(given.targetPid);
  const repetition = planRepetition(given, plan);
  if (repetition.baseline.length > 0) await refuseDamaged();
  if (forPrograms !== null && (repetition.most > 1 || repetition.baseline.length > 0))
    throw new Failure(
      'standard output holds one run alone: with --repeat or --baseline write to files (--out, --report, --comparison-report)',
    );
  // Options of the built-in mock may give it other tools.
  if (given.mock === undefined) await checkTools(plan);
  const isShown = !given.quiet && forPrograms === null;
  const colour = wantsColour(given.color);
  return repeatRuns(repetition, given, colour, async (number, of) => {
    const { result, failure } = await rerunDisturbed(
      given.rerunDisturbed,
      () => execute(plan, given, colour),
      (ran) => disturbedWanted(ran, repetition.baseline.length === 0 ? null : gatesOf(repetition)),
      (text) => tell(text),
    );
    const named = (file: string): string => numbered(file, number, repetition.most);
    const print = (path?: string): void => {
      const width = process.stdout.columns ?? 100;
      const glance = given.verbose !== true;
      if (isShown && of === 1) printForActions(terminalReport(result, { colour, width, path, glance }));
    };
    const path = await orElse(print, () =>
      isStored ? writeResult(result, given.out === undefined ? {} : { path: named(given.out) }) : '-',
    );
    const files = withStandardOutput(reports, forPrograms).map((report) => ({
      ...report,
      path: report.path === '-' ? '-' : named(report.path),
    }));
    await orElse(
      () => print(path),
      () => writeReports(result, files),
    );
    print(path);
    if (isFirstLook && isShown) printForActions(nextSteps(result, given));
    if (forPrograms === null) tellActions(result, repetition);
    // A collector that is down says nothing about the server measured: the exit code stays what the run came to.
    const unsent = otlp === null ? null : await sendOtlp(result, otlp);
    if (unsent !== null)
      tell(
        `warning: metrics not sent, ${unsent} (the exit code is the run's; to send them again: mcp-bench report ${path} --otlp …)`,
      );
    if (failure !== null) throw failure;
    return { result, path, verdict: judgeRun(result, { strict: given.strict }) };
  });
}

function withStandardOutput(reports: Outlets['reports'], kind: RunReportKind | null): Outlets['reports'] {
  const isThere = kind === null || reports.some(({ path }) => path === '-');
  return isThere ? reports : [...reports, { kind, path: '-' }];
}

/** Nobody should wait for all the runs only to hear that they cannot be compared with anything. */
async function refuseDamaged(): Promise<void> {
  const damage = (await import('../../result/damaged-result.js')).damagedResult();
  if (damage !== null) throw damage;
}

/** The percentiles by which runs are compared. */
function gatesOf({ compare }: Repetition): readonly string[] {
  return compare.gates ?? gateOrder;
}

/** What cannot be kept, because the disk is full, can still be looked at. */
async function orElse<Value>(show: () => void, keep: () => Value): Promise<Awaited<Value>> {
  try {
    return await keep();
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

async function execute(plan: Plan, given: RunFlags, colour: boolean): Promise<Executed> {
  const tty = process.stderr.isTTY === true;
  const display = given.quiet
    ? null
    : watchRun(plan, { tty, colour: tty && colour, width: process.stderr.columns ?? 100 });
  try {
    return await interruptible(({ control }) =>
      executePlan(plan, {
        ...display?.watcher,
        ...(given.targetPid === undefined ? {} : { targetPid: given.targetPid }),
        mockArgs: (given.mock ?? []).map((option) => `--${option}`),
        onWarning: (message) => tell(`warning: ${message}`),
        onControls: control,
      }),
    );
  } finally {
    display?.finish();
  }
}

function checkTargetPid(pid: number | undefined): void {
  if (pid === undefined) return;
  if (!Number.isInteger(pid) || pid < 1)
    throw new Failure(`--target-pid: expected the number of a process, found ${pid}.`);
  if (ProcessTree.from([pid]).read() === null)
    throw new Failure(`--target-pid: there is no process ${pid} here, or this system does not tell.`);
}
