import { createHash } from 'node:crypto';
import { callName } from './check-calls.js';
import { idleCount } from './check-load.js';
import { lengthNs, listPhases } from './list-phases.js';
import type { LoadInput } from './list-phases.js';
import type {
  ExpectPlan,
  JsonValue,
  LoadPlan,
  OperationPlan,
  Plan,
  PostsPlan,
  SessionsPlan,
  TargetPlan,
} from './plan.js';
import type { Scenario } from './schema.js';
import type { DataSets } from './template-expression.js';

/** What a plan is made of besides the scenario's own text. */
export interface PlanMaterial {
  /** Used where the scenario has no name. */
  readonly defaultName: string;
  readonly target: TargetPlan;
  readonly data: DataSets;
  readonly cores: number;
}

export const defaultSeed = 1;
export const defaultCallTimeoutNs = 30e9;

/** Fills in every default. Expects a scenario that has passed all checks; the result is frozen through and through. */
export function makePlan(scenario: Scenario, material: PlanMaterial): Plan {
  const sessions = makeSessions(scenario);
  const callNs = scenario.timeouts?.call ?? defaultCallTimeoutNs;
  const offered = {
    seed: scenario.seed ?? defaultSeed,
    sessions,
    posts: makePosts(scenario.posts),
    warmupNs: scenario.warmup ?? 0,
    phases: listPhases(scenario).map((phase) => ({
      name: phase.name,
      durationNs: lengthNs(phase),
      load: makeLoad(phase.load),
    })),
    operations: scenario.calls.map((call) => makeOperation(call, callNs)),
    data: material.data,
    timeouts: {
      connectNs: scenario.timeouts?.connect ?? 5e9,
      handshakeNs: scenario.timeouts?.handshake ?? 10e9,
      callNs,
      idleNs: scenario.timeouts?.idle ?? null,
    },
    openLoop: {
      inFlight: scenario.openLoop?.inFlight ?? 16,
      queue: scenario.openLoop?.queue ?? null,
    },
    pacing: scenario.pacing ?? 'auto',
  } as const;
  return deepFreeze({
    name: scenario.name ?? material.defaultName,
    scenarioHash: createHash('sha256').update(stableJson(offered)).digest('hex'),
    target: material.target,
    ...offered,
    thresholds: Object.entries(scenario.thresholds ?? {}).flatMap(([metric, rules]) =>
      rules.map(({ rule, abortOnFail }) => ({ metric, rule, abortOnFail: abortOnFail ?? false })),
    ),
    workers: scenario.workers ?? Math.max(1, Math.min(material.cores - 1, sessions.count - sessions.idle)),
    tags: scenario.tags ?? {},
  });
}

/** JSON whose text does not depend on the order in which keys were written. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function makeSessions(scenario: Scenario): SessionsPlan {
  const { count, open, lifetime, end, reconnect } = scenario.sessions;
  return {
    count,
    openPerSec: open === undefined || open === 'at-once' ? null : open,
    lifetimeCalls: lifetime?.calls ?? null,
    lifetimeNs: lifetime?.time ?? null,
    end: end ?? 'close',
    reconnect: reconnect ?? true,
    idle: idleCount(scenario),
  };
}

function makePosts(posts: Scenario['posts']): PostsPlan {
  const mode = posts?.mode ?? 'serial';
  if (mode === 'serial') return { mode };
  return { mode, connections: posts?.connections ?? (mode === 'shared' ? 16 : 1) };
}

function makeLoad(load: LoadInput): LoadPlan {
  switch (load.model) {
    case 'closed':
      return { model: 'closed', inFlight: load.inFlight ?? 1, thinkNs: load.think ?? 0 };
    case 'rate':
      return { model: 'rate', perSecond: load.perSecond, arrivals: load.arrivals ?? 'uniform' };
    case 'ramp':
      return {
        model: 'ramp',
        fromPerSecond: load.from,
        toPerSecond: load.to,
        arrivals: load.arrivals ?? 'uniform',
      };
    case 'steps':
      return {
        model: 'steps',
        steps: load.steps.map(({ perSecond, duration }) => ({ perSecond, durationNs: duration })),
        arrivals: load.arrivals ?? 'uniform',
      };
    case 'burst':
      return { model: 'burst', calls: load.calls, everyNs: load.every };
    case 'count':
      return { model: 'count', calls: load.calls, inFlight: load.inFlight ?? 1 };
  }
}

function makeOperation(call: Scenario['calls'][number], callNs: number): OperationPlan {
  return {
    name: callName(call),
    method: call.method ?? 'tools/call',
    tool: call.tool ?? null,
    weight: call.weight ?? 1,
    arguments: structuredClone((call.arguments ?? call.params ?? {}) as JsonValue),
    expect: (call.expect ?? []).flatMap(makeExpectations),
    timeoutNs: call.timeout ?? callNs,
    cancelAfterNs: call.cancelAfter ?? null,
    // Not there at all where there is none: a scenario's hash is not to change for it.
    ...(call.inputResponses === undefined
      ? {}
      : { inputResponses: structuredClone(call.inputResponses as Record<string, JsonValue>) }),
  };
}

type Expected = NonNullable<Scenario['calls'][number]['expect']>[number];

function makeExpectations(expected: Expected): ExpectPlan[] {
  if (expected === 'echo') return [{ kind: 'echo' }];
  const { isError, path, equals, size } = expected;
  const plans: ExpectPlan[] = [];
  if (isError !== undefined) plans.push({ kind: 'isError', value: isError });
  if (path !== undefined) plans.push({ kind: 'equals', path, value: structuredClone(equals as JsonValue) });
  // Not Infinity: a plan is printed and stored as JSON.
  if (size)
    plans.push({ kind: 'size', minBytes: size.min ?? 0, maxBytes: size.max ?? Number.MAX_SAFE_INTEGER });
  return plans;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
