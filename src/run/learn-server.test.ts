import { expect, onTestFinished, test } from 'vitest';
import { serveMock } from '../../mock-server/serve-mock.js';
import { planScenario } from '../scenario/load-scenario.js';
import { learnServer } from './learn-server.js';
import { resolvedPlan } from './resolved-plan.fixture.js';

test.each([
  ['stateless', '2026-07-28', { name: 'mcp-bench mock', version: expect.any(String) }, 1],
  ['with sessions, which say it themselves', '2025-11-25', null, 0],
] as const)('who a server is, %s', async (_, protocol, expected, asked) => {
  const mock = await serveMock();
  onTestFinished(() => mock.close());
  const plan = planScenario({
    target: { url: mock.urls.streamable, transport: 'streamable', protocol },
    sessions: 1,
    load: { model: 'count', calls: 1 },
    calls: [{ tool: 'counter' }],
  });
  expect(await learnServer(resolvedPlan(plan))).toEqual(expected);
  expect((await mock.stats()).posts.received).toBe(asked);
});

test('one that does not answer has no name', async () => {
  const mock = await serveMock({ streamable: { eras: 'sessions' } });
  onTestFinished(() => mock.close());
  const plan = planScenario({
    target: { url: mock.urls.streamable, transport: 'streamable', protocol: '2026-07-28' },
    sessions: 1,
    load: { model: 'count', calls: 1 },
    calls: [{ tool: 'counter' }],
  });
  expect(await learnServer(resolvedPlan(plan))).toBeNull();
});
