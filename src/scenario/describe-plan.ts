import { stringify } from 'yaml';
import { writtenByteSize } from './byte-size.js';
import { writtenDuration } from './duration.js';
import type { ExpectPlan, LoadPlan, OperationPlan, PhasePlan, Plan } from './plan.js';
import { printablePlan } from './printable-plan.js';
import { writtenRate } from './rate.js';

const rowsShown = 3;

/** What a run would do, for `run --dry-run`: a summary to read, then the whole plan as YAML. No secrets in it. */
export function describePlan(plan: Plan): string {
  const shown = printablePlan(plan, rowsShown);
  return `${summary(shown).join('\n')}\n\n---\n${stringify(shown, { lineWidth: 0 })}`;
}

function summary(plan: Plan): string[] {
  const timedNs = plan.phases.reduce((sum, { durationNs }) => sum + (durationNs ?? 0), 0);
  const weights = plan.operations.reduce((sum, { weight }) => sum + weight, 0);
  return [
    `${plan.name}: ${describeSessions(plan)}`,
    describeTarget(plan),
    ...(plan.target.transport === 'stdio' ? [] : [describePosts(plan)]),
    `workers: ${plan.workers}, pacing ${plan.pacing}, seed ${plan.seed}`,
    `warm-up: ${plan.warmupNs === 0 ? 'none' : writtenDuration(plan.warmupNs)}`,
    `phases: ${plan.phases.length}, ${writtenDuration(timedNs)} in all`,
    ...plan.phases.map((phase) => `  ${phase.name}: ${describePhase(phase, plan)}`),
    `calls: ${plan.operations.length} kinds`,
    ...plan.operations.map((operation) => `  ${describeOperation(operation, weights)}`),
    `time limits: ${describeLimits(plan)}`,
    ...plan.thresholds.map(({ metric, rule }) => `threshold: ${metric}: ${rule}`),
  ];
}

function describePosts({ posts }: Plan): string {
  return `POSTs: ${posts.mode}${'connections' in posts ? `, ${posts.connections} connections` : ''}`;
}

function describeTarget({ target: { url, command, transport, protocol, dialect } }: Plan): string {
  const words = command === undefined ? '' : `the command ${command.command.join(' ')}`;
  if (command !== undefined && url === '') return `target: ${words}, transport stdio, protocol ${protocol}`;
  const what = words === '' ? url || 'the built-in mock' : `${url}, started by ${words}`;
  return `target: ${what}, transport ${transport}, protocol ${protocol}, dialect ${dialect}`;
}

function describeSessions({ sessions }: Plan): string {
  const { count, openPerSec, lifetimeCalls, lifetimeNs, end, idle } = sessions;
  const parts = [
    `${count} sessions, opened ${openPerSec === null ? 'at once' : `at ${writtenRate(openPerSec)}`}`,
  ];
  if (idle > 0) parts.push(`${idle} of them idle`);
  const lives = [
    lifetimeCalls === null ? '' : `${lifetimeCalls} calls`,
    lifetimeNs === null ? '' : writtenDuration(lifetimeNs),
  ].filter((part) => part !== '');
  if (lives.length > 0)
    parts.push(`each lives for ${lives.join(' or ')}, then is ${end === 'close' ? 'closed' : 'abandoned'}`);
  return parts.join(', ');
}

function describePhase({ durationNs, load }: PhasePlan, plan: Plan): string {
  const length = durationNs === null ? 'until done' : writtenDuration(durationNs);
  return `${length}, ${describeLoad(load, plan.sessions.count - plan.sessions.idle)}`;
}

function describeLoad(load: LoadPlan, active: number): string {
  switch (load.model) {
    case 'closed': {
      const think = load.thinkNs === 0 ? '' : `, thinking ${writtenDuration(load.thinkNs)}`;
      return `closed loop, ${load.inFlight} in flight per session (${load.inFlight * active} in all)${think}`;
    }
    case 'rate':
      return `${writtenRate(load.perSecond)}, ${load.arrivals}`;
    case 'ramp':
      return `from ${writtenRate(load.fromPerSecond)} to ${writtenRate(load.toPerSecond)}, ${load.arrivals}`;
    case 'steps': {
      const steps = load.steps.map(
        (step) => `${writtenRate(step.perSecond)} for ${writtenDuration(step.durationNs)}`,
      );
      return `${steps.join(', ')}, ${load.arrivals}`;
    }
    case 'burst': {
      const perSec = writtenRate((load.calls * active * 1e9) / load.everyNs);
      return `${load.calls} calls per session at once, every ${writtenDuration(load.everyNs)} (${perSec} on average)`;
    }
    case 'count':
      return `${load.calls} calls in all, ${load.inFlight} in flight per session`;
  }
}

function describeOperation(
  { name, method, tool, weight, arguments: args, expect }: OperationPlan,
  weights: number,
): string {
  const share = `${Number(((100 * weight) / weights).toFixed(1))} %`;
  const what = tool === null ? method : `tool ${tool}`;
  const called = name === (tool ?? method) ? '' : ` as ${name}`;
  const json = JSON.stringify(args);
  const expects = expect.length === 0 ? '' : `, expects ${expect.map(describeExpectation).join(' and ')}`;
  return `${share} ${what}${called} ${json.length <= 70 ? json : `${json.slice(0, 69)}…`}${expects}`;
}

function describeExpectation(expect: ExpectPlan): string {
  switch (expect.kind) {
    case 'echo':
      return 'the echo of its message';
    case 'isError':
      return expect.value ? 'an error' : 'no error';
    case 'equals':
      return `${expect.path} = ${JSON.stringify(expect.value)}`;
    case 'size':
      return [
        expect.minBytes === 0 ? '' : `at least ${writtenByteSize(expect.minBytes)}`,
        expect.maxBytes === Number.MAX_SAFE_INTEGER ? '' : `at most ${writtenByteSize(expect.maxBytes)}`,
      ]
        .filter((part) => part !== '')
        .join(' and ');
  }
}

function describeLimits({ timeouts, openLoop }: Plan): string {
  const { connectNs, handshakeNs, callNs, idleNs } = timeouts;
  const queue = openLoop.queue === null ? 'ten seconds of the rate' : String(openLoop.queue);
  return [
    `connect ${writtenDuration(connectNs)}`,
    `handshake ${writtenDuration(handshakeNs)}`,
    `call ${writtenDuration(callNs)}`,
    ...(idleNs === null ? [] : [`silence of a stream ${writtenDuration(idleNs)}`]),
    `open loops: ${openLoop.inFlight} in flight per session, queue ${queue}`,
  ].join(', ');
}
