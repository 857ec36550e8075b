import { MachineCpu } from '../../src/machine/machine-cpu.js';

/** Starts to watch what the hypervisor takes of this machine's cores; the function returned tells the share since, null where unknown. */
export type WatchTheft = () => () => number | null;

/** A measurement that was taken, perhaps after others that were disturbed. */
export interface Undisturbed<Taken> {
  readonly taken: Taken;
  /** How much of the cores the hypervisor took meanwhile. */
  readonly stolenShare: number | null;
  readonly attempts: number;
}

/** A share of stolen time up to which a measurement counts as undisturbed. */
export const stolenShareLimit = 0.02;
const mostAttempts = 5;

/**
 * Takes a measurement, and takes it again while the hypervisor gave the machine's cores to others: up to five times, of which
 * the one counts that lost least. What decides is the stolen time alone, never the figure that was measured.
 */
export async function takeUndisturbed<Taken>(
  take: () => Promise<Taken>,
  watch: WatchTheft = watchTheft,
  limit = stolenShareLimit,
): Promise<Undisturbed<Taken>> {
  let best: Undisturbed<Taken> | null = null;
  for (let attempts = 1; ; attempts++) {
    const stolen = watch();
    const taken = await take();
    const stolenShare = stolen();
    if (best === null || (stolenShare ?? 0) < (best.stolenShare ?? 0))
      best = { taken, stolenShare, attempts };
    if ((stolenShare ?? 0) <= limit || attempts === mostAttempts) return { ...best, attempts };
  }
}

/** Watches by the kernel's own count; see MachineCpu. */
export const watchTheft: WatchTheft = () => {
  const cpu = new MachineCpu(null);
  cpu.start();
  return () => cpu.within(0, Infinity).stolenShare;
};
