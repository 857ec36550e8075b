import { existsSync } from 'node:fs';
import { Failure } from '../../failure.js';
import type { ScenarioOverrides } from '../../scenario/apply-overrides.js';
import { type FlagScenario, flagScenario, flagSource } from '../../scenario/flag-scenario.js';
import { planFrom } from '../../scenario/load-scenario.js';
import type { Plan, TargetPlan } from '../../scenario/plan.js';
import { cut } from '../../text/cut.js';
import { isLoopback } from '../../text/is-loopback.js';
import type { RunFlags } from '../flags/run-flags.js';
import { tell } from '../tell.js';

/** A plan that flags have made, and what was chosen for the user. */
export interface FlagPlan {
  readonly plan: Plan;
  /** Nothing but the server was named. */
  readonly isFirstLook: boolean;
}

const longestShown = 300;
// What a stranger's server is asked for, where nobody has said how much it can take.
const gentle = { sessions: 1, rate: '2/s' } as const;

/** The plan of a run without a scenario; where no tool is named, the server is asked for its cheapest safe one. */
export async function planFromFlags(given: RunFlags, overrides: ScenarioOverrides): Promise<FlagPlan> {
  // These make the scenario; what is left changes it, as it would one from a file.
  const { tool, arguments: args, sessions, inFlight, calls, rate, duration, ...rest } = overrides;
  const load = { sessions, inFlight, calls, rate, duration };
  if (given.save !== undefined && existsSync(given.save))
    throw new Failure(`--save ${given.save}: it exists already, name another file`);
  if (tool !== undefined) return finish({ tool, arguments: args, ...load }, rest, given, false);
  if (args !== undefined) throw new Failure('--arguments belong to a tool: name it with --tool');
  // Whatever is wrong with a flag is said before a server is asked for anything.
  const target = targetOf(load, rest);
  if (target.url === '' && target.command === undefined)
    throw new Failure(
      'run needs a scenario, a server or a tool: mcp-bench run smoke, mcp-bench run --target http://127.0.0.1:3000/mcp, mcp-bench run --tool echo',
    );
  if (given.dryRun)
    throw new Failure('--dry-run asks no server for its tools: name one with --tool, or give a scenario');
  const isFirstLook = Object.values(load).every((value) => value === undefined);
  if (target.url !== '' && target.command !== undefined)
    throw new Failure(
      'a server that is yet to be started cannot be asked for its tools: name one with --tool',
    );
  const isStrange = target.url !== '' && target.unixSocket === null && !isLoopback(target.url);
  const caution = isStrange ? cautionFor(load) : {};
  if (isStrange) tell(cautionText(target, caution));
  const { chooseCall } = await import('../../probe/choose-call.js');
  const chosen = await chooseCall(target, { timeoutMs: 10_000, readOnly: isStrange });
  const called = chosen.tool === null ? chosen.method : `${chosen.tool} ${JSON.stringify(chosen.arguments)}`;
  if (!given.quiet) tell(`${chosen.server}: calling ${cut(called, longestShown)} (${chosen.why})`);
  return finish(
    {
      tool: chosen.tool,
      method: chosen.method,
      arguments: chosen.arguments,
      ...caution,
      ...defined(load),
    },
    rest,
    given,
    isFirstLook,
  );
}

type Load = Pick<FlagScenario, 'sessions' | 'inFlight' | 'calls' | 'rate'>;

/** As little as can be measured, wherever the user has not said how much. */
function cautionFor({ sessions, inFlight, calls, rate }: Load): Partial<typeof gentle> {
  const isPaced = [inFlight, calls, rate].every((each) => each === undefined);
  return {
    ...(sessions === undefined ? { sessions: gentle.sessions } : {}),
    ...(isPaced ? { rate: gentle.rate } : {}),
  };
}

function cautionText({ url }: TargetPlan, { sessions, rate }: Partial<typeof gentle>): string {
  const limits = [
    ...(sessions === undefined ? [] : ['one session']),
    ...(rate === undefined ? [] : [`${rate}`]),
    'only tools that are marked as only reading',
  ];
  return `${new URL(url).hostname} is not this machine: ${limits.join(', ')}. For more, say so: --sessions, --rate, --tool`;
}

async function finish(
  flags: FlagScenario,
  rest: ScenarioOverrides,
  given: RunFlags,
  isFirstLook: boolean,
): Promise<FlagPlan> {
  const scenario = flagScenario(defined(flags));
  const plan = planFrom(flagSource(scenario), 'run', rest);
  if (given.save !== undefined)
    (await import('./save-scenario.js')).saveScenario(given.save, scenario, plan, given);
  return { plan, isFirstLook };
}

function targetOf(load: Omit<FlagScenario, 'tool'>, overrides: ScenarioOverrides): TargetPlan {
  const { posts: _, workers: __, thresholds: ___, ...reach } = overrides;
  return planFrom(flagSource(flagScenario(defined({ tool: null, ...load }))), 'run', reach).target;
}

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}
