import { expect, test } from 'vitest';
import type { ScenarioOverrides } from './apply-overrides.js';
import { planScenario } from './load-scenario.js';
import type { ScenarioInput } from './schema.js';

const scenario: ScenarioInput = {
  sessions: 5,
  phases: [
    { name: 'loop', duration: '1s', load: { model: 'closed', inFlight: 2 } },
    { name: 'rate', duration: '1s', load: { model: 'rate', perSecond: 10 } },
    { name: 'counted', load: { model: 'count', calls: 50 } },
  ],
  calls: [{ tool: 'echo', arguments: { message: 'x' }, expect: 'echo' }, { tool: 'sleep' }],
  thresholds: {
    'call.response': 'p(99) < 1s',
    'call.response{tool:echo}': 'p(99) < 1s',
    'call.response{phase:rate,tool:sleep}': 'p(99) < 1s',
  },
};
const plan = (overrides: ScenarioOverrides, changes: Partial<ScenarioInput> = {}) =>
  planScenario({ ...scenario, ...changes }, overrides);
const single = (load: ScenarioInput['load'], duration?: string): Partial<ScenarioInput> => ({
  phases: undefined,
  load,
  duration,
});

test('--tool calls it instead of all others, and limits on those are gone', () => {
  const { operations, thresholds } = plan({ tool: 'search', arguments: { q: '{{seq}}' } });
  expect(operations).toMatchObject([{ name: 'search', arguments: { q: '{{seq}}' }, expect: [] }]);
  expect(thresholds.map(({ metric }) => metric)).toEqual(['call.response']);
});

test('--tool keeps the limits on that tool, and takes more', () => {
  const { thresholds } = plan({ tool: 'echo', thresholds: ['call.response{tool:echo}: p(50) < 5ms'] });
  expect(thresholds.map(({ metric, rule }) => `${metric} ${rule}`)).toEqual([
    'call.response p(99) < 1s',
    'call.response{tool:echo} p(99) < 1s',
    'call.response{tool:echo} p(50) < 5ms',
  ]);
});

test('--in-flight holds in all loops that have slots, --calls in the phase that counts', () => {
  const [loop, rate, counted] = plan({ inFlight: 7, calls: 9 }).phases;
  expect(loop!.load).toMatchObject({ model: 'closed', inFlight: 7 });
  expect(rate!.load).toEqual(plan({}).phases[1]!.load);
  expect(counted!.load).toMatchObject({ model: 'count', inFlight: 7, calls: 9 });
});

test.each<[ScenarioOverrides, Partial<ScenarioInput>, string]>([
  [{ arguments: {} }, {}, '--arguments belong to a tool: name it with --tool'],
  [
    { inFlight: 4 },
    single({ model: 'rate', perSecond: 5 }, '1s'),
    '--in-flight: this scenario has no phase with the model closed or count (it has: rate)',
  ],
  [
    { calls: 4 },
    single({ model: 'closed' }, '1s'),
    '--calls: this scenario ends after a time (its models: closed); give --duration, or leave the scenario out',
  ],
  [{ calls: 1.5 }, {}, '--calls: expected a whole number of at least 1, found 1.5'],
  [{ inFlight: 0 }, {}, '--in-flight: expected a whole number of at least 1, found 0'],
  [{ tool: 'x', arguments: { a: '{{nosuch}}' } }, {}, '--arguments: there is no template {{nosuch}}'],
])('%j', (overrides, changes, message) => {
  expect(() => plan(overrides, changes)).toThrow(message);
});
