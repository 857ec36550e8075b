import { expect, test } from 'vitest';
import { faultNames } from '../../../mock-server/stats.js';
import { balance } from '../../../scripts/storm/books.js';
import { stormMock, stormScenario } from '../../../scripts/storm/storm-load.js';
import { againstMock } from '../fixtures/against-mock.js';

test('every fault of the mock at once: each call has one outcome, and both sides’ books agree', async () => {
  const { calls, phases, ...scenario } = stormScenario({ sessions: 300, seconds: 4, callsPerSec: 800 });
  const { result, stats } = await againstMock(stormMock(50), { ...scenario, calls: calls!, phases: phases! });
  for (const name of faultNames) expect(stats.injected[name], name).toBeGreaterThan(0);
  expect(stats.freezes).toBeGreaterThan(0);
  expect(balance(result, stats).filter(({ holds }) => !holds)).toEqual([]);
});
