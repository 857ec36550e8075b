import { quadrature, type Quadrature } from './gauss-legendre.js';
import { logGamma } from './log-gamma.js';
import { normalProbability } from './normal-quantile.js';

/**
 * Probability that the range of `groups` standard normal values, over an independent estimate of their standard deviation with so many
 * degrees of freedom, is below q: the distribution that Tukey's test is made from. To about ten digits, by numerical integration.
 */
export function studentizedRange(q: number, groups: number, degreesOfFreedom: number): number {
  if (!(groups >= 2)) throw new RangeError(`a range needs at least two groups, got ${groups}`);
  if (!(degreesOfFreedom > 0)) throw new RangeError(`expected degrees of freedom, got ${degreesOfFreedom}`);
  if (!(q > 0)) return 0;
  if (q === Infinity) return 1;
  if (degreesOfFreedom >= asGoodAsKnown) return rangeProbability(q, groups);
  const { nodes, weights } = spreads(degreesOfFreedom);
  let sum = 0;
  for (let at = 0; at < nodes.length; at++)
    if (weights[at]! > negligible) sum += weights[at]! * rangeProbability(q * nodes[at]!, groups);
  return Math.min(1, sum);
}

/** The q below which the studentized range falls with probability p. */
export function studentizedRangeQuantile(p: number, groups: number, degreesOfFreedom: number): number {
  const key = `${p} ${groups} ${degreesOfFreedom}`;
  const known = quantiles.get(key);
  if (known !== undefined) return known;
  const miss = (q: number): number => studentizedRange(q, groups, degreesOfFreedom) - p;
  let high = 4;
  while (miss(high) < 0) high *= 2;
  const found = root(miss, high === 4 ? 0 : high / 2, high);
  if (quantiles.size < mostKept) quantiles.set(key, found);
  return found;
}

const quantiles = new Map<string, number>();
// Broken degrees of freedom hardly come twice.
const mostKept = 200;
// From there on the estimate of the deviation is as good as the deviation, to seven digits.
const asGoodAsKnown = 1e7;
const negligible = 1e-17;

/** P(the range of `groups` standard normal values ≤ w) = groups · ∫ φ(z) (Φ(z) − Φ(z − w))^(groups − 1) dz, z being the largest. */
function rangeProbability(w: number, groups: number): number {
  if (w > 2 * tableEnd) return 1;
  let sum = 0;
  for (let at = 0; at < largest.nodes.length; at++)
    sum += largest.weights[at]! * (below[at]! - normalBelow(largest.nodes[at]! - w)) ** (groups - 1);
  return Math.min(1, groups * sum);
}

const spreadsKnown = new Map<number, Quadrature>();

/** The estimate s of a deviation of 1: nodes s, and weights that hold its density. In log s, where it is smooth for any degrees of freedom. */
function spreads(degreesOfFreedom: number): Quadrature {
  const known = spreadsKnown.get(degreesOfFreedom);
  if (known !== undefined) return known;
  const v = degreesOfFreedom;
  // Beyond these ends the density is less than 1e-14 of its largest.
  const made = quadrature(-34 / v - Math.sqrt(34 / v), Math.log1p(Math.sqrt(80 / v)), 64);
  const front = Math.log(2) + (v / 2) * Math.log(v / 2) - logGamma(v / 2);
  for (let at = 0; at < made.nodes.length; at++) {
    const logS = made.nodes[at]!;
    made.nodes[at] = Math.exp(logS);
    made.weights[at]! *= Math.exp(front + v * logS - (v / 2) * Math.exp(2 * logS));
  }
  if (spreadsKnown.size < mostKept) spreadsKnown.set(degreesOfFreedom, made);
  return made;
}

const tableEnd = 9;
const stepsPerUnit = 32;
const tableOfNormal = Float64Array.from({ length: 2 * tableEnd * stepsPerUnit + 1 }, (_, at) =>
  normalProbability(at / stepsPerUnit - tableEnd),
);

const tableOfDensity = tableOfNormal.map((_, at) => density(at / stepsPerUnit - tableEnd));

/** Φ(x), from the nearest entry of a table by Taylor's series: the integrals need it ten thousand times each. */
function normalBelow(x: number): number {
  if (x <= -tableEnd) return 0;
  if (x >= tableEnd) return 1;
  const at = Math.round((x + tableEnd) * stepsPerUnit);
  const z = at / stepsPerUnit - tableEnd;
  const d = x - z;
  const z2 = z * z;
  const terms =
    1 -
    (d / 2) *
      (z -
        (d / 3) *
          (z2 -
            1 -
            (d / 4) * (z * (z2 - 3) - (d / 5) * (z2 * (z2 - 6) + 3 - (d / 6) * z * (z2 * (z2 - 10) + 15)))));
  return tableOfNormal[at]! + d * tableOfDensity[at]! * terms;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

// The largest value z: nodes, weights with its density in them, and Φ(z).
const largest = quadrature(-tableEnd, tableEnd, 2 * tableEnd);
const below = largest.nodes.map(normalBelow);
for (let at = 0; at < largest.nodes.length; at++) largest.weights[at]! *= density(largest.nodes[at]!);

/** The zero of an increasing function between two ends: regula falsi that halves the weight of an end which stays (the Illinois rule). */
function root(increasing: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  let [atA, atB] = [increasing(a), increasing(b)];
  let stayed: 'a' | 'b' | null = null;
  for (let step = 0; step < 200 && b - a > 1e-10 * b; step++) {
    const x = atB === atA ? (a + b) / 2 : b - (atB * (b - a)) / (atB - atA);
    const value = increasing(x);
    if (value === 0) return x;
    if (value < 0) {
      [a, atA] = [x, value];
      if (stayed === 'b') atB /= 2;
      stayed = 'b';
    } else {
      [b, atB] = [x, value];
      if (stayed === 'a') atA /= 2;
      stayed = 'a';
    }
    if (Math.abs(value) < 1e-12) return x;
  }
  return (a + b) / 2;
}
