import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StatsSnapshot } from '../../mock-server/stats.js';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** What all mocks of a run say that they did. */
export type MockSums = Pick<StatsSnapshot, 'responsesSent' | 'injected'> & {
  readonly calls: Pick<StatsSnapshot['calls'], 'received'>;
  readonly messages: Pick<StatsSnapshot['messages'], 'byMethod'>;
};

/** The command of a mock on pipes, which adds its log and its counts to these files. */
export function pipedMock(log: string, stats: string, args: readonly string[]): string[] {
  return [process.execPath, main, 'serve-mock', '--stdio', '--log', log, '--stats-file', stats, ...args];
}

/** Adds up what the mocks wrote into their common file: the last line of each. */
export function sumStats(file: string): MockSums {
  const last = new Map<number, StatsSnapshot>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { pid, stats } = JSON.parse(line) as { pid: number; stats: StatsSnapshot };
    last.set(pid, stats);
  }
  const all = [...last.values()];
  const sum = (pick: (stats: StatsSnapshot) => number): number =>
    all.reduce((total, stats) => total + pick(stats), 0);
  return {
    responsesSent: sum((stats) => stats.responsesSent),
    calls: { received: sum(({ calls }) => calls.received) },
    messages: { byMethod: added(all.map(({ messages }) => messages.byMethod)) },
    injected: added(all.map(({ injected }) => injected)),
  };
}

function added<Name extends string>(counts: readonly Record<Name, number>[]): Record<Name, number> {
  const sums: Partial<Record<Name, number>> = {};
  for (const each of counts)
    for (const [name, count] of Object.entries(each) as [Name, number][])
      sums[name] = (sums[name] ?? 0) + count;
  return sums as Record<Name, number>;
}
