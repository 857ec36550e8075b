import type { StatsSnapshot } from '../stats.js';

type Counts = { [key: string]: number | Counts };

/** Adds up the counts of several threads; what describes the server is the same in all of them and stays as it is. */
export function sumStats(snapshots: readonly StatsSnapshot[]): StatsSnapshot {
  const { engine, dialect, threads, seed } = snapshots[0]!;
  const sum: Counts = {};
  for (const { engine: _engine, dialect: _dialect, threads: _threads, seed: _seed, ...counts } of snapshots)
    add(sum, counts as unknown as Counts);
  return { engine, dialect, threads, seed, ...sum } as unknown as StatsSnapshot;
}

function add(sum: Counts, counts: Counts): void {
  for (const [key, value] of Object.entries(counts)) {
    if (typeof value === 'number') sum[key] = ((sum[key] as number | undefined) ?? 0) + value;
    else add((sum[key] ??= {}) as Counts, value);
  }
}
