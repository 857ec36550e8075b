import { ExitCode, Failure } from '../../failure.js';
import type { ScenarioOverrides } from '../../scenario/apply-overrides.js';
import type { Plan } from '../../scenario/plan.js';
import type { CommandCode } from '../command-code.js';
import { readCallArguments } from '../flags/call-flags.js';
import { parseOtlpFlag } from '../flags/otlp-flag.js';
import { parseReportFiles } from '../reports/report-files.js';
import { standardOutput } from '../reports/standard-output.js';
import { runReportKinds } from '../reports/run-reports.js';
import { tell } from '../tell.js';
import { runFlags, type RunFlags } from '../flags/run-flags.js';

/** `mcp-bench run`: runs a scenario, writes its result, prints the report. */
export function runCommand(done: (exitCode: number) => void): CommandCode<RunFlags> {
  return {
    builder: runFlags,
    handler: async (given) => done(await run(given)),
  };
}

async function run(given: RunFlags): Promise<number> {
  const reports = parseReportFiles(given.report, runReportKinds);
  const forPrograms = standardOutput(given, reports);
  const otlp = parseOtlpFlag(given.otlp);
  const { plan, isFirstLook } = await planOf(given);
  if (given.workers !== undefined && given.workers > plan.workers && !given.quiet)
    tell(`--workers ${given.workers}: ${plan.workers}, one for each session that makes calls`);
  // The generator and the reports are half of what there is to load: a dry run does without.
  if (!given.dryRun)
    return (await import('../runs/run-plan.js')).runPlan(plan, given, {
      reports,
      otlp,
      forPrograms,
      isFirstLook,
    });
  console.log((await import('../../scenario/describe-plan.js')).describePlan(plan));
  return ExitCode.pass;
}

async function planOf(given: RunFlags): Promise<{ plan: Plan; isFirstLook: boolean }> {
  const overrides = overridesFrom(given);
  if (given.scenario === undefined)
    return (await import('../runs/plan-from-flags.js')).planFromFlags(given, overrides);
  if (given.save !== undefined)
    throw new Failure(
      '--save writes down a run without a scenario: leave the scenario out, or copy its file',
    );
  const { loadScenario } = await import('../../scenario/load-scenario.js');
  return { plan: loadScenario(given.scenario, overrides), isFirstLook: false };
}

function overridesFrom(given: RunFlags): ScenarioOverrides {
  const {
    target,
    server: command,
    transport,
    protocol,
    dialect,
    sessions,
    duration,
    rate,
    posts,
    workers,
    seed,
    insecure,
  } = given;
  const named = {
    target,
    command,
    transport,
    protocol,
    dialect,
    sessions,
    duration,
    rate,
    posts,
    workers,
    seed,
    insecure,
    tool: given.tool,
    arguments: readCallArguments(given.arguments, given.arg),
    inFlight: given.inFlight,
    calls: given.calls,
  };
  const lists = { headers: given.header, tags: given.tag, thresholds: given.threshold };
  return Object.fromEntries(
    Object.entries({ ...named, ...lists }).filter(([, value]) => value !== undefined),
  );
}
