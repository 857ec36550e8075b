import { bisect } from './bisection.js';
import { logGamma } from './log-gamma.js';

const tiny = 1e-300;

/** Regularised lower incomplete gamma function P(a, x): the distribution function of Gamma(a, 1) at x. */
export function incompleteGamma(a: number, x: number): number {
  if (!(a > 0)) throw new RangeError(`incompleteGamma needs a > 0, got ${a}`);
  if (x <= 0) return 0;
  if (x === Infinity) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? front * series(a, x) : 1 - front * continuedFraction(a, x);
}

/** The x below which a chi-squared variable with these degrees of freedom falls with probability p. */
export function chiSquaredQuantile(p: number, degreesOfFreedom: number): number {
  const a = degreesOfFreedom / 2;
  let high = degreesOfFreedom + 1;
  while (incompleteGamma(a, high / 2) < p) high *= 2;
  return bisect((x) => incompleteGamma(a, x / 2), p, 0, high);
}

function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

// Lentz's method for the upper part, where the series would be slow: a few dozen steps. What is not a number would never end.
function continuedFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n <= 10_000; n++) {
    const factor = -n * (n - a);
    b += 2;
    d = factor * d + b;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = b + factor / c;
    if (Math.abs(c) < tiny) c = tiny;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) return fraction;
  }
  throw new Error(`the incomplete gamma function did not converge at a=${a}, x=${x}`);
}
