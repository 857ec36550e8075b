import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadScenario } from './load-scenario.js';
import type { Plan } from './plan.js';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** What the built-in mock can do. */
const mockTools = ['echo', 'sleep', 'payload', 'fail', 'random', 'counter'];

test('all that were promised are there', () => {
  expect(files.map((file) => basename(file, '.yaml'))).toEqual([
    'abandon',
    'burst',
    'churn',
    'handshake-storm',
    'idle-fleet',
    'large-payload',
    'mixed',
    'ramp',
    'smoke',
    'soak',
    'spike',
    'steady',
  ]);
});

describe.each(files)('%s', (file) => {
  const plan = loadScenario(join(folder, file));
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');

  test('opens with its schema for editors and the question it answers', () => {
    expect(lines[0]).toBe('# yaml-language-server: $schema=./scenario.schema.json');
    expect(lines[1]).toMatch(/^# .+\?/);
  });

  test('is named after its file, and judges itself', () => {
    expect(`${plan.name}.yaml`).toBe(file);
    expect(plan.thresholds.length).toBeGreaterThan(0);
  });

  test('calls tools of the mock only', () => {
    for (const { tool } of plan.operations) expect([...mockTools, null]).toContain(tool);
  });

  test('needs fewer than 20,000 descriptors', () => {
    expect(descriptors(plan)).toBeLessThan(20_000);
  });
});

test('burst is done well within a minute, smoke within seconds', () => {
  const lengthSec = (file: string): number => {
    const { sessions, warmupNs, phases } = loadScenario(join(folder, file));
    const openingSec = sessions.count / (sessions.openPerSec ?? Infinity);
    return openingSec + [warmupNs, ...phases.map((phase) => phase.durationNs!)].reduce((a, b) => a + b) / 1e9;
  };
  expect(lengthSec('burst.yaml')).toBeLessThan(30);
  expect(lengthSec('smoke.yaml')).toBeLessThan(5);
});

// At worst: the stream and one POST connection more than there are calls in flight.
function descriptors({ sessions, posts, phases, openLoop }: Plan): number {
  if (posts.mode === 'shared') return sessions.count + posts.connections;
  if (posts.mode === 'pipelined') return sessions.count * (1 + posts.connections);
  const inFlight = phases.map(({ load }) => ('inFlight' in load ? load.inFlight : openLoop.inFlight));
  return sessions.count * (2 + Math.max(...inFlight));
}
