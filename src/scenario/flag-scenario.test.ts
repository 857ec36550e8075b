import { expect, test } from 'vitest';
import { type FlagScenario, flagScenario, flagSource } from './flag-scenario.js';
import { planFrom } from './load-scenario.js';

const plan = (flags: Partial<FlagScenario>) =>
  planFrom(flagSource(flagScenario({ tool: 'echo', ...flags })), 'run', {});

test('a tool alone: ten sessions, one call in flight in each, five seconds after a second of warm-up', () => {
  expect(plan({ arguments: { message: 'hi' } })).toMatchObject({
    name: 'echo',
    sessions: { count: 10 },
    warmupNs: 1e9,
    phases: [{ durationNs: 5e9, load: { model: 'closed', inFlight: 1 } }],
    operations: [{ tool: 'echo', arguments: { message: 'hi' } }],
  });
});

test.each<[Partial<FlagScenario>, object]>([
  [
    { rate: '100/s', duration: '10s' },
    { durationNs: 10e9, load: { model: 'rate', perSecond: 100 } },
  ],
  [{ rate: '30/min' }, { durationNs: 5e9, load: { model: 'rate', perSecond: 0.5 } }],
  [
    { rate: '50', calls: 1000 },
    { durationNs: 20e9, load: { model: 'rate', perSecond: 50 } },
  ],
  [
    { calls: 1000, inFlight: 4 },
    { durationNs: null, load: { model: 'count', calls: 1000, inFlight: 4 } },
  ],
  [{ inFlight: 4 }, { durationNs: 5e9, load: { model: 'closed', inFlight: 4 } }],
])('%j', (flags, phase) => {
  expect(plan(flags).phases).toMatchObject([phase]);
});

test('beside a rate, --in-flight is the most that a session may have', () => {
  expect(plan({ rate: '100/s', inFlight: 4 }).openLoop.inFlight).toBe(4);
});

test('without a tool it pings', () => {
  expect(plan({ tool: null }).operations).toMatchObject([{ method: 'ping', tool: null }]);
});

test.each<[Partial<FlagScenario>, RegExp]>([
  [{ sessions: 0 }, /^--sessions: expected .* from 1 up, .*found 0$/],
  [{ sessions: Number.NaN }, /^--sessions: expected a number of sessions.*found NaN$/],
  [{ rate: 'fast' }, /^--rate: expected calls per second.*found "fast"$/],
  [{ rate: 'fast', calls: 5 }, /^--rate: expected calls per second.*found "fast"$/],
  [{ rate: '0/s', calls: 5 }, /^--rate: expected calls per second.*found "0\/s"$/],
  [{ duration: '10' }, /^--duration: expected a duration with its unit.*found "10"$/],
  [{ calls: 0 }, /^--calls: expected a whole number of at least 1, found 0$/],
  [{ calls: 0, rate: '5/s' }, /^--calls: expected a whole number of at least 1, found 0$/],
  [{ inFlight: 1.5 }, /^--in-flight: expected a whole number of at least 1, found 1.5$/],
  [{ rate: '5/s', inFlight: 0 }, /^--in-flight: expected a whole number of at least 1, found 0$/],
  [{ tool: '' }, /^--tool: expected the name of a tool, found ""$/],
  [{ arguments: { message: '{{nosuch}}' } }, /^--arguments: message: .*nosuch/],
  [{ calls: 5, duration: '1s' }, /^--calls and --duration both say when to stop: give one of them$/],
])('%j is a mistake of that flag', (flags, message) => {
  expect(() => plan(flags)).toThrow(message);
});
