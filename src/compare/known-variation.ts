import type { KnownSpread } from './few-runs.js';

/** How much runs of the same thing differ on this machine, by metric as comparisons name them, and who says so. */
export interface KnownVariation {
  /** For people: `calibration of 2026-11-18 (10 runs)`. */
  source: string;
  /** True if it was measured with this very scenario, server and machine: only then may it let single runs fail a build. */
  exact: boolean;
  metrics: Readonly<Record<string, KnownSpread>>;
}
