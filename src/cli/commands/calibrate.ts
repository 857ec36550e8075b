import os from 'node:os';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import {
  calibrationEntry,
  calibrationSchema,
  type Calibration,
  type Ceiling,
  fewestCalibrationRuns,
  withEntry,
} from '../../compare/calibration.js';
import { calibrationPath, readCalibration, writeCalibration } from '../../compare/calibration-file.js';
import { compareRuns, fewestRunsForRanks } from '../../compare/compare-runs.js';
import { ExitCode, Failure } from '../../failure.js';
import { exitCodeOf, judgeRun } from '../../result/run-verdict.js';
import { terminalCalibration } from '../../report/comparison/calibration-terminal.js';
import { repeatedFigures } from '../../compare/repeated-figures.js';
import type { RunResult } from '../../result/result.js';
import { formatRate } from '../../result/units.js';
import { latencyText } from '../../report/run/latency-text.js';
import { executePlan } from '../../run/run.js';
import { loadScenario, planScenario } from '../../scenario/load-scenario.js';
import type { Plan } from '../../scenario/plan.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { printForActions } from '../actions.js';
import { wantsColour } from '../colour.js';
import { type TransportFlags, transportFlags } from '../flags/transport-flags.js';
import { interruptible } from '../runs/interrupts.js';
import { tell } from '../tell.js';

interface Flags extends TransportFlags {
  scenario?: string;
  target?: string;
  dialect?: string;
  header?: string[];
  insecure?: boolean;
  sessions?: number;
  duration?: string;
  rate?: string;
  posts?: string;
  workers?: number;
  mock?: string[];
  runs: number;
  ceiling: boolean;
  out?: string;
  quiet: boolean;
  color?: boolean;
}

/** `mcp-bench calibrate`: how much runs of the same thing differ on this machine, and the most that the generator can do. */
export function calibrateCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await calibrate(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  const text = { type: 'string', requiresArg: true } as const;
  const number = { type: 'number', requiresArg: true } as const;
  const list = { type: 'string', array: true, nargs: 1 } as const;
  return transportFlags(yargs)
    .positional('scenario', {
      type: 'string',
      describe: 'the scenario whose runs will be compared (default: a small one of its own)',
    })
    .option('runs', { ...number, default: 10, describe: 'run it this many times' })
    .option('target', { ...text, describe: 'URL of the server (default: start the built-in mock)' })
    .option('dialect', { ...text, describe: 'as for run' })
    .option('header', { ...list, describe: 'as for run' })
    .option('insecure', { type: 'boolean', describe: 'as for run' })
    .option('sessions', { ...number, describe: 'as for run' })
    .option('duration', { ...text, describe: 'as for run' })
    .option('rate', { ...text, describe: 'as for run' })
    .option('posts', { ...text, describe: 'as for run' })
    .option('workers', { ...number, describe: 'as for run' })
    .option('mock', { ...list, describe: 'as for run' })
    .option('ceiling', {
      type: 'boolean',
      default: true,
      describe: "also measure the generator's ceiling, flat out against the built-in mock",
    })
    .option('out', {
      ...text,
      describe: 'write the calibration to this file (default: results/calibration-<host>.json)',
    })
    .option('quiet', { type: 'boolean', default: false, alias: 'q', describe: 'print nothing' })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 calibrate my.yaml --target http://127.0.0.1:3000/sse', 'so that single runs can be compared')
    .example('$0 calibrate', 'what this machine is good for')
    .epilogue(
      'Exit codes: 0 done · 1 a run failed · 2 bad usage · 3 too many runs were suspect · 130 interrupted',
    );
}

async function calibrate(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const plan = planFrom(given);
  if (!Number.isInteger(given.runs) || given.runs < fewestCalibrationRuns || given.runs > 1000)
    throw new Failure(
      `--runs: expected a whole number from ${fewestCalibrationRuns} to 1000, found ${given.runs}.`,
    );
  const path = given.out ?? calibrationPath(os.hostname());
  const before = readCalibration(path) ?? nothingKnown();
  const say = (line: string): void => {
    if (!given.quiet) tell(line);
  };
  const runs = await repeat(plan, given, say);
  if (runs === undefined) return ExitCode.interrupted;
  const valid = runs.filter(({ validity }) => validity.state === 'valid');
  const ceiling = given.ceiling ? await measureCeiling(say) : [];
  if (ceiling === undefined) return ExitCode.interrupted;
  const enough = valid.length >= fewestCalibrationRuns;
  const known = { ...before, ceiling: given.ceiling ? ceiling : before.ceiling };
  writeCalibration(
    path,
    enough ? withEntry(known, calibrationEntry(valid, new Date().toISOString())) : known,
  );
  if (!given.quiet)
    printForActions(
      terminalCalibration(
        {
          name: plan.name,
          runs: valid.length,
          suspect: runs.filter(({ validity }) => validity.state === 'suspect'),
          figures: enough ? repeatedFigures(valid) : [],
          comparison: compareHalves(valid),
          ceiling,
          path,
        },
        { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 },
      ),
    );
  return enough ? ExitCode.pass : ExitCode.invalid;
}

/** A/A: the same thing on both sides, in turns, so that whatever is found is a false alarm. */
function compareHalves(valid: readonly RunResult[]): ReturnType<typeof compareRuns> | null {
  if (valid.length < 2 * fewestRunsForRanks) return null;
  const half = (rest: number): RunResult[] =>
    valid.filter((_, at) => [0, 3].includes(at % 4) === (rest === 0));
  return compareRuns(half(0), half(1));
}

async function repeat(
  plan: Plan,
  given: Flags,
  say: (line: string) => void,
): Promise<RunResult[] | undefined> {
  const runs: RunResult[] = [];
  for (let number = 1; number <= given.runs; number++) {
    const result = await runOnce(
      plan,
      (given.mock ?? []).map((option) => `--${option}`),
      say,
    );
    if (result.ended === 'interrupted') return undefined;
    if (result.ended !== 'complete' || exitCodeOf(judgeRun(result)) === ExitCode.runFailed)
      throw new Failure(
        `run ${number} of ${plan.name} failed: see what mcp-bench run says about it.`,
        ExitCode.runFailed,
      );
    runs.push(result);
    const [reason] = result.validity.reasons;
    say(
      `run ${number} of ${given.runs}: ${latencyText(result)}, ${formatRate(result.totals.callsPerSec)} calls/s${reason ? `, suspect (${reason.code})` : ''}`,
    );
  }
  return runs;
}

/** Flat out in a closed loop: what generator and mock together can do on this machine, and which of them was the limit. */
async function measureCeiling(say: (line: string) => void): Promise<Ceiling[] | undefined> {
  const found: Ceiling[] = [];
  for (const posts of ['serial', 'pipelined'] as const) {
    say(`ceiling, ${posts} POSTs`);
    const { ended, totals, generator, startedAt } = await runOnce(planScenario(flatOut, { posts }), [], say);
    if (ended === 'interrupted') return undefined;
    found.push({
      posts,
      callsPerSec: totals.callsPerSec,
      generatorBusy: Math.max(0, ...generator.loopUtilisation),
      targetCpu: generator.targetCpuShare,
      othersCpu: generator.othersCpuShare,
      measuredAt: startedAt,
    });
  }
  return found;
}

async function runOnce(
  plan: Plan,
  mockArgs: readonly string[],
  say: (line: string) => void,
): Promise<RunResult> {
  const { result, failure } = await interruptible(({ control }) =>
    executePlan(plan, {
      mockArgs,
      onWarning: (message) => say(`warning: ${message}`),
      onControls: control,
    }),
  );
  if (failure !== null) throw failure;
  return result;
}

function planFrom(given: Flags): Plan {
  const { target, server: command, transport, protocol, dialect, insecure, sessions } = given;
  const { duration, rate, posts, workers, header } = given;
  const named = {
    target,
    command,
    transport,
    protocol,
    dialect,
    insecure,
    sessions,
    duration,
    rate,
    posts,
    workers,
    headers: header,
  };
  const overrides = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return given.scenario === undefined
    ? planScenario(small, overrides)
    : loadScenario(given.scenario, overrides);
}

function nothingKnown(): Calibration {
  return { schema: calibrationSchema, hostname: os.hostname(), entries: [], ceiling: [] };
}

const echo = { tool: 'echo', arguments: { message: '{{seq}} {{hex 16}}' }, expect: ['echo' as const] };

const small: ScenarioInput = {
  name: 'calibrate',
  sessions: { count: 20 },
  warmup: '1s',
  load: { model: 'rate', perSecond: 200 },
  duration: '5s',
  calls: [echo],
};

const flatOut: ScenarioInput = {
  name: 'ceiling',
  sessions: { count: 100 },
  warmup: '1s',
  load: { model: 'closed', inFlight: 4 },
  duration: '3s',
  calls: [echo],
};
