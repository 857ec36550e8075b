import { bisect } from './bisection.js';
import { logGamma } from './log-gamma.js';

const tiny = 1e-300;

/** Regularised incomplete beta function I_x(a, b): the distribution function of Beta(a, b) at x. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0)) throw new RangeError(`incompleteBeta needs a, b > 0, got ${a}, ${b}`);
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast on the left of the mean only; on the right use the symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(logFront) * continuedFraction(x, a, b)) / a;
}

/** The x with I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  return bisect((x) => incompleteBeta(x, a, b), p, 0, 1);
}

// Lentz's method; the number of steps grows with the square root of the larger parameter.
function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  const steps = 200 + 10 * Math.ceil(Math.sqrt(Math.max(a, b)));
  for (let i = 1; i <= steps; i++) {
    const even = (i * (b - i) * x) / ((a + 2 * i - 1) * (a + 2 * i));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + i) * (a + b + i) * x) / ((a + 2 * i) * (a + 2 * i + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) return fraction;
  }
  throw new Error(`the incomplete beta function did not converge at x=${x}, a=${a}, b=${b}`);
}

function awayFromZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}
