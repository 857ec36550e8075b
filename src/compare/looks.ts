/**
 * The error probability that the next look may spend, when runs are added until a comparison is conclusive: what is left, divided over
 * the looks that are left. `spent` holds, for each look so far, 1 − the confidence its exact interval really had; ranks are coarse, and
 * what a look leaves unspent benefits the later ones. By Bonferroni's inequality all looks together stay within `total`, however they depend.
 */
export function alphaForLook(total: number, looks: number, spent: readonly number[]): number {
  if (spent.length >= looks) throw new RangeError(`all ${looks} looks are used up`);
  const left = total - spent.reduce((sum, alpha) => sum + alpha, 0);
  return Math.max(0, left) / (looks - spent.length);
}
