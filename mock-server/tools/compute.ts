let last = 1;

/**
 * Keeps this thread busy for so many rounds of arithmetic, about a nanosecond each: a fixed amount of work, not of time, so that it takes as long as
 * the machine makes it take. Returns what came of it, so that it cannot be left out.
 */
export function compute(rounds: number): number {
  let state = last | 1;
  for (let round = 0; round < rounds; round++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  last = state;
  return state;
}
