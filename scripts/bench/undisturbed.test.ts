import { describe, expect, it } from 'vitest';
import { takeUndisturbed } from './undisturbed.js';

/** Measures 1, 2, 3, … while the shares given are stolen, in turn. */
function measure(...shares: (number | null)[]) {
  let taken = 0;
  let watched = 0;
  return takeUndisturbed(
    async () => ++taken,
    () => {
      const share = shares[watched++]!;
      return () => share;
    },
  );
}

describe('takeUndisturbed', () => {
  it('takes the first where nothing was stolen, or nobody knows', async () => {
    expect(await measure(0.02, 0)).toEqual({ taken: 1, stolenShare: 0.02, attempts: 1 });
    expect(await measure(null, 0)).toEqual({ taken: 1, stolenShare: null, attempts: 1 });
  });

  it('takes it again until it is left alone', async () => {
    expect(await measure(0.3, 0.021, 0.01)).toEqual({ taken: 3, stolenShare: 0.01, attempts: 3 });
  });

  it('gives up after five and keeps the one that lost least', async () => {
    expect(await measure(0.3, 0.2, 0.1, 0.4, 0.5, 0)).toEqual({ taken: 3, stolenShare: 0.1, attempts: 5 });
  });
});
