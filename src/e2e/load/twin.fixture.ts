import { expect } from 'vitest';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import type { StatsSnapshot } from '../../../mock-server/stats.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { type AgainstMock, againstMock, type AgainstMockOptions } from '../fixtures/against-mock.js';
import type { DriveOptions } from '../fixtures/drive-shard.js';

/** The same through our sockets and through a second implementation, each against a mock of its own with the same seed. */
export async function both(
  mock: ServeMockOptions,
  scenario: Partial<ScenarioInput>,
  createTransport: NonNullable<DriveOptions['createTransport']>,
  targetFor?: AgainstMockOptions['targetFor'],
): Promise<{ ours: AgainstMock; twin: AgainstMock }> {
  const options = targetFor === undefined ? {} : { targetFor };
  const ours = await againstMock(mock, { seed: 11, ...scenario }, options);
  const twin = await againstMock(mock, { seed: 11, ...scenario }, { ...options, createTransport });
  return { ours, twin };
}

/** Everything that was counted on either side of the wire, but for the bytes of heads and who opened which connection. */
export function counted({ result, counts, sessions, stats }: AgainstMock): Record<string, unknown> {
  const { connectRetries: _, ...sessionCounts } = sessions;
  const { bytes: __, ...mock } = stats;
  const acks = Object.fromEntries(
    ['call.response', 'call.ack', 'handshake.total'].map((name) => [name, result.metrics[name]?.count]),
  );
  const { bytesIn: ___, bytesOut: ____, ...warmup } = result.warmup;
  return { counts, sessions: sessionCounts, mock, warmup, metrics: acks };
}

/** What became of the calls of each tool: the same where the order of the calls is. */
export function byTool({ result }: AgainstMock): unknown {
  return result.operations.map(({ name, started, outcomes }) => ({ name, started, outcomes }));
}

/** Calls of all kinds: good, failed, large, and for tools that there are not. */
export const mixedCalls: ScenarioInput['calls'] = [
  { tool: 'echo', weight: 3, arguments: { message: '{{seq}} {{hex 16}} ünïcode 🦜' }, expect: 'echo' },
  { tool: 'sleep', weight: 1, arguments: { ms: '{{int 1 4}}' } },
  { tool: 'payload', weight: 1, arguments: { bytes: 20_000 }, expect: { size: { min: 20_000 } } },
  { tool: 'fail', weight: 1 },
  { tool: 'no-such-tool', weight: 1 },
  { method: 'tools/list', weight: 1 },
];

/** Every fault was injected but those named. */
export function expectInjected({ injected }: StatsSnapshot, not: string[]): void {
  const missing = Object.entries(injected).filter(([, count]) => count === 0);
  expect(missing.map(([name]) => name).toSorted(), 'every fault that is on was injected').toEqual(
    not.toSorted(),
  );
}
