import { chance, Choice } from './chance.js';
import type { FaultConfig } from '../config/faults.js';
import type { Latency } from './latency.js';
import { faultNames } from '../stats.js';
import type { FaultName } from '../stats.js';

/** What is done to the calls of one tool: its latency and its faults, each decided by seed, session and call. */
export class Behaviour {
  /** Nothing is done to them: the hot path may be taken. */
  readonly plain: boolean;
  private readonly rates: Record<FaultName, number>;

  constructor(
    private readonly seed: number,
    private readonly latency: Latency | null,
    readonly faults: FaultConfig,
  ) {
    this.rates = Object.fromEntries(faultNames.map((name) => [name, faults[name].rate])) as Record<
      FaultName,
      number
    >;
    this.plain = latency === null && faultNames.every((name) => this.rates[name] === 0);
  }

  hits(fault: FaultName, sessionOrdinal: number, callOrdinal: number): boolean {
    const rate = this.rates[fault];
    return rate > 0 && chance(this.seed, sessionOrdinal, callOrdinal, Choice[fault]) < rate;
  }

  latencyNs(sessionOrdinal: number, callOrdinal: number): number {
    if (this.latency === null) return 0;
    return this.latency.sampleNs(chance(this.seed, sessionOrdinal, callOrdinal, Choice.latency));
  }
}
