/** A uniform random number in [0, 1) at each call; the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): () => number {
  // sfc32, its state spread from the seed by a counter and warmed up so that neighbouring seeds have nothing in common.
  let a = seed | 0;
  let b = Math.imul(seed, 0x9e3779b1) | 0;
  let c = Math.floor(seed / 0x1_0000_0000) ^ 0x6a09e667;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}
