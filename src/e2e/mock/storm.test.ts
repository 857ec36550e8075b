import { expect, test } from 'vitest';
import { faultNames } from '../../../mock-server/stats.js';
import { balance } from '../../../scripts/storm/books.js';
import { impossible, stormMock, stormScenario } from '../../../scripts/storm/storm-load.js';
import { againstMock } from '../fixtures/against-mock.js';

test.concurrent.each(['sse', 'streamable', 'stateless'] as const)(
  'every fault of the mock at once, %s: each call has one outcome, and both sides’ books agree',
  async (speech) => {
    const size = { sessions: 300, seconds: 4, callsPerSec: 800 };
    const { calls, phases, target, ...scenario } = stormScenario(size, speech);
    const { result, stats } = await againstMock(
      stormMock(50, speech),
      { ...scenario, calls: calls!, phases: phases! },
      {
        targetFor: ({ url, urls }) => ({
          ...(target as object),
          url: speech === 'sse' ? url : urls.streamable,
        }),
      },
    );
    const never = faultNames.filter((name) => stats.injected[name] === 0);
    expect(never).toEqual(impossible[speech]);
    expect(stats.freezes).toBeGreaterThan(0);
    expect(balance(result, stats).filter(({ holds }) => !holds)).toEqual([]);
  },
);
