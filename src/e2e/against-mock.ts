import { expect } from 'vitest';
import { serveMock, type RunningMock, type ServeMockOptions } from '../../mock-server/serve-mock.js';
import type { StatsSnapshot } from '../../mock-server/stats.js';
import { countOutcomes } from '../stats/outcomes.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import type { DriveOptions } from './drive-shard.js';
import { plainScenario, type Played, runChecked } from './play.js';

export interface AgainstMock extends Played {
  /** What the mock says it received, did and sent, when all its sessions had gone. */
  readonly stats: StatsSnapshot;
}

/**
 * A last phase of one call, long enough for all to be read that is still on its way when the last counted call has been
 * answered: a duplicate, a stray response, the answer to a server's request.
 */
export const settle = { name: 'settle', duration: '300ms', load: { model: 'rate', perSecond: 1 } } as const;

export interface AgainstMockOptions extends DriveOptions {
  readonly targetFor?: (mock: RunningMock) => ScenarioInput['target'];
}

/** Runs a scenario against a mock in this process and holds each side's books against the other's. */
export async function againstMock(
  mockOptions: ServeMockOptions,
  scenario: Partial<ScenarioInput> = {},
  options: AgainstMockOptions = {},
): Promise<AgainstMock> {
  const mock = await serveMock({ seed: 7, ...mockOptions });
  try {
    const { load, ...rest } = plainScenario;
    const phases = scenario.phases ?? [{ name: 'main', load: load! }];
    const plan = planScenario({
      ...rest,
      target: options.targetFor?.(mock) ?? urlOf(mock),
      ...scenario,
      phases,
    });
    const played = await runChecked(plan, options);
    const stats = await settledStats(mock);
    const methods = new Set(plan.operations.map(({ method }) => method));
    const received = [...methods].reduce((sum, method) => sum + (stats.messages.byMethod[method] ?? 0), 0);
    const { totals, warmup, sessions } = played.result;
    const sent = totals.sent + warmup.sent;
    // What we abandoned may have gone with its socket; everything else was received, to the last call.
    const abandoned = totals.outcomes.aborted + warmup.outcomes.aborted;
    expect(received, 'calls received = calls sent, warm-up included').toBeLessThanOrEqual(sent);
    expect(received, 'calls received = calls sent, warm-up included').toBeGreaterThanOrEqual(
      sent - abandoned,
    );
    expect(stats.sessions.opened, 'sessions').toBeLessThanOrEqual(sessions.opened);
    expect(stats.sessions.opened, 'sessions').toBeGreaterThanOrEqual(sessions.ready);
    return { ...played, stats };
  } finally {
    await mock.close();
  }
}

/** Every response that the mock sent was seen, and seen once: as a call's end, as an oddity, or as a handshake's. */
export function expectAllSeen({ result, stats }: AgainstMock): void {
  const { totals, warmup, sessions } = result;
  const { duplicate, late, foreign, nullIdError } = totals.oddities;
  const answered = [totals.outcomes, warmup.outcomes].reduce((sum, outcomes) => {
    const { timeout, acceptedNoResponse, disconnected, cancelled, aborted, notSent, httpError } = outcomes;
    const refused = Object.values(httpError).reduce((all, count) => all + count, 0);
    const unanswered = timeout + acceptedNoResponse + disconnected + cancelled + aborted + notSent + refused;
    return sum + countOutcomes(outcomes) - unanswered;
  }, 0);
  const handshakes = stats.messages.byMethod['initialize'] === undefined ? 0 : sessions.ready;
  const unseen = stats.responsesSent - (answered + duplicate + late + foreign + nullIdError + handshakes);
  // Only a session that was still in its handshake when the run ended may have been answered behind our back.
  expect(unseen, 'responses sent = responses seen').toBeGreaterThanOrEqual(0);
  expect(unseen, 'responses sent = responses seen').toBeLessThanOrEqual(sessions.opened - sessions.ready);
}

/** In the workspace dialect all streams of one path see all responses: each session gets a path of its own. */
function urlOf({ url }: RunningMock): string {
  return url.replace(/\/mcp\/bench$/, '/mcp/{session}');
}

async function settledStats(mock: RunningMock): Promise<StatsSnapshot> {
  for (;;) {
    const stats = await mock.stats();
    if (stats.sessions.open === 0) return stats;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
