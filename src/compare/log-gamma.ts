const halfLogTwoPi = Math.log(2 * Math.PI) / 2;

/** Natural logarithm of Γ(x) for x > 0, to about 14 digits. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma needs x > 0, got ${x}`);
  // Stirling's series is asymptotic: below 12 its five terms are not enough, so step up by Γ(x + 1) = x·Γ(x).
  let product = 1;
  let z = x;
  while (z < 12) product *= z++;
  const inverse = 1 / z;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 -
      square *
        (1 / 360 -
          square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360_360))))));
  return (z - 0.5) * Math.log(z) - z + halfLogTwoPi + series - Math.log(product);
}
