import { executePlan } from '../../src/run/run.js';
import { planScenario } from '../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../src/scenario/schema.js';
import type { Setting } from './setting.js';

const baseWork = 50_000;
const slower = 1.1;

/**
 * A closed loop flat out against a mock that computes for each call and is the bottleneck: what differs between runs is the machine's doing. A delay
 * would not slow such a server down, as calls would only wait less in its queue; so B computes more, by as much as a first look says makes 10 %.
 */
export async function flatOut(seconds: number): Promise<Setting> {
  const scenario: ScenarioInput = {
    name: 'aa-flat-out',
    workers: 1,
    sessions: { count: 16 },
    warmup: '1s',
    load: { model: 'closed', inFlight: 4 },
    duration: `${seconds}s`,
    calls: [{ tool: 'echo', arguments: { message: '{{seq}} {{hex 16}}' }, expect: 'echo' }],
  };
  const slowerWork = await workFor(slower, scenario);
  return {
    name: 'flat-out',
    title: 'A closed loop flat out; a server that computes 10 % longer',
    about: `Closed loop, 16 sessions with 4 calls in flight each, no think time. For each call the mock computes (A ${baseWork.toLocaleString('en-US')} rounds of integer arithmetic, B ${slowerWork.toLocaleString('en-US')}), which keeps its one core busy: it is the bottleneck, not the generator. How many more rounds make p50 10 % longer was found by four runs beforehand, which are not in the pool; what it came to is measured below over the whole pool.`,
    scenario,
    mockArgs: { A: workArgs(baseWork), B: workArgs(slowerWork) },
  };
}

function workArgs(rounds: number): string[] {
  return ['--set', `tools.echo.work=${rounds}`];
}

/** Rounds that make p50 so much longer: a line through p50 at the base and at one and a half times its work, twice each, in turns. */
async function workFor(ratio: number, scenario: ScenarioInput): Promise<number> {
  const more = 1.5 * baseWork;
  const [a1, b1, b2, a2] = [
    await medianNs(baseWork, scenario),
    await medianNs(more, scenario),
    await medianNs(more, scenario),
    await medianNs(baseWork, scenario),
  ];
  const [base, longer] = [(a1 + a2) / 2, (b1 + b2) / 2];
  if (longer <= base) throw new Error('half more work took no longer: the mock is not the bottleneck here');
  const perRound = (longer - base) / (more - baseWork);
  return Math.round(baseWork + ((ratio - 1) * base) / perRound);
}

async function medianNs(rounds: number, scenario: ScenarioInput): Promise<number> {
  const { result, failure } = await executePlan(planScenario(scenario), { mockArgs: workArgs(rounds) });
  if (failure !== null) throw failure;
  return result.metrics['call.response']!.p50;
}
