/** A rule that integrates polynomials of degree 2n − 1 exactly over [−1, 1]. */
interface Rule {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
}

/** Nodes and weights over an interval, for sums of many integrands. */
export interface Quadrature {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

const pointsPerPanel = 8;
const panelRule = gaussRule(pointsPerPanel);

/** Gauss–Legendre with eight points in each of `panels` equal parts of [low, high]. */
export function quadrature(low: number, high: number, panels: number): Quadrature {
  const nodes = new Float64Array(panels * pointsPerPanel);
  const weights = new Float64Array(panels * pointsPerPanel);
  const half = (high - low) / panels / 2;
  for (let at = 0; at < nodes.length; at++) {
    const panel = Math.floor(at / pointsPerPanel);
    const point = at % pointsPerPanel;
    nodes[at] = low + half * (2 * panel + 1 + panelRule.nodes[point]!);
    weights[at] = half * panelRule.weights[point]!;
  }
  return { nodes, weights };
}

// The nodes are the zeros of the Legendre polynomial, by Newton's method from the cosines that are near them.
function gaussRule(n: number): Rule {
  const nodes: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 20; step++) {
      let [before, value] = [1, x];
      for (let degree = 2; degree <= n; degree++)
        [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree];
      slope = (n * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    nodes.push(x);
    weights.push(2 / ((1 - x * x) * slope * slope));
  }
  return { nodes, weights };
}
