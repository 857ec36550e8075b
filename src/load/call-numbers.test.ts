import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialects } from '../mcp/dialect.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { Plan } from '../scenario/plan.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { warmupPhase } from '../stats/recorder.js';
import { CallNumbers, loadOf } from './call-numbers.js';
import { createPacer } from './pacer.js';
import { Workload } from './workload.js';

const calls: ScenarioInput['calls'] = [
  { tool: 'echo', weight: 3, arguments: { message: '{{seq}} {{hex 8}} {{string 40}}', n: '{{int 1 20}}' } },
  {
    tool: 'sleep',
    weight: 1,
    arguments: { ms: '{{float 0 1}}', id: '{{uuid}}', colour: '{{pick red green}}' },
  },
];

function planOf(change: Partial<ScenarioInput>): Plan {
  return planScenario({ name: 'numbers', sessions: 7, target: 'http://127.0.0.1:1/sse', calls, ...change });
}

/** All calls that so many workers make of a plan's open phases and of `count`: number, due time in its phase, operation and text. */
function callsOf(plan: Plan, workers: number): Map<number, string> {
  const made = new Map<number, string>();
  for (let index = 0; index < workers; index++) {
    const shard = { index, of: workers };
    const numbers = new CallNumbers(plan, shard);
    const workload = new Workload(plan);
    const make = (phase: number, dueNs: number): void => {
      const seq = numbers.next(phase);
      const operation = workload.pick(seq);
      const text = workload.render(operation, seq, 0, 1, dialects.classic);
      expect(made.has(seq), `call ${seq} is made once`).toBe(false);
      made.set(seq, `${phase} ${dueNs} ${text}`);
    };
    for (let phase = plan.warmupNs > 0 ? warmupPhase : 0; phase < plan.phases.length; phase++) {
      const load = loadOf(plan, phase);
      if (load.model === 'closed') continue;
      if (load.model === 'count') {
        for (let i = index; i < load.calls; i += workers) make(phase, 0);
        continue;
      }
      const durationNs = phase === warmupPhase ? plan.warmupNs : plan.phases[phase]!.durationNs!;
      const pacer = createPacer(load, durationNs, {
        shard,
        firstSession: plan.sessions.idle,
        sessions: plan.sessions.count - plan.sessions.idle,
        seed: plan.seed + phase + 1,
      });
      for (; pacer.nextNs !== Infinity; pacer.advance()) make(phase, pacer.nextNs);
    }
  }
  return new Map([...made].sort(([a], [b]) => a - b));
}

const arrivals = fc.constantFrom('uniform' as const, 'poisson' as const);
const load = fc.oneof(
  fc.record({ model: fc.constant('rate' as const), perSecond: fc.integer({ min: 1, max: 300 }), arrivals }),
  fc.record({
    model: fc.constant('ramp' as const),
    from: fc.integer({ min: 0, max: 100 }),
    to: fc.integer({ min: 1, max: 300 }),
    arrivals,
  }),
  fc.record({
    model: fc.constant('burst' as const),
    calls: fc.integer({ min: 1, max: 4 }),
    every: fc.constant('300ms'),
  }),
);

test('any number of workers makes the same calls: number, due time, operation and text', () => {
  fc.assert(
    fc.property(
      fc.array(load, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.integer({ min: 2, max: 7 }),
      (loads, idle, active, warm, workers) => {
        const plan = planOf({
          sessions: { count: idle + active, idle },
          ...(warm ? { warmup: '500ms' } : {}),
          phases: loads.map((each) => ({ duration: '1s', load: each })),
        } as Partial<ScenarioInput>);
        const one = callsOf(plan, 1);
        expect(callsOf(plan, Math.min(workers, plan.sessions.count - plan.sessions.idle))).toEqual(one);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([1, 2, 3, 5])('steps and counted calls, %i workers: the numbers are whole', (workers) => {
  const plan = planOf({
    phases: [
      {
        load: {
          model: 'steps',
          steps: [
            { perSecond: 50, duration: '1s' },
            { perSecond: 100, duration: '1s' },
          ],
        },
      },
      { load: { model: 'count', calls: 101 } },
    ],
  } as Partial<ScenarioInput>);
  const made = callsOf(plan, workers);
  expect(made).toEqual(callsOf(plan, 1));
  // The count begins behind the most calls that the steps can have.
  expect([...made.keys()]).toEqual([
    ...Array.from({ length: 150 }, (_, n) => n),
    ...Array.from({ length: 101 }, (_, n) => 151 + n),
  ]);
});

test('closed loops take the numbers behind all others, and no worker takes those of another', () => {
  const plan = planOf({
    warmup: '1s',
    phases: [
      { duration: '1s', load: { model: 'closed' } },
      { duration: '1s', load: { model: 'rate', perSecond: 10 } },
      { duration: '1s', load: { model: 'closed' } },
    ],
  } as Partial<ScenarioInput>);
  const taken = [0, 1].flatMap((index) => {
    const numbers = new CallNumbers(plan, { index, of: 2 });
    return [warmupPhase, 0, 2, 0].map((phase) => numbers.next(phase));
  });
  expect(taken.sort((a, b) => a - b)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
});

test('another seed gives other calls', () => {
  const load = { model: 'rate', perSecond: 20, arrivals: 'poisson' } as const;
  const [one, two] = [1, 2].map((seed) => callsOf(planOf({ seed, load, duration: '1s' }), 1));
  expect([...one!.values()]).not.toEqual([...two!.values()]);
});
