/** A shape of between-run noise: draws have mean 0 and standard deviation 1, whatever the shape. */
export interface NoiseShape {
  name: string;
  draw: (random: () => number) => number;
}

/** A standard normal draw. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Normal, and three ways in which real runs are worse: heavy tails, very heavy ones, and a tenth of the runs disturbed, always for the worse. */
export const noiseShapes: readonly NoiseShape[] = [
  { name: 'normal', draw: normal },
  {
    name: 'Laplace',
    draw: (random) => {
      const magnitude = -Math.log(1 - random()) / Math.SQRT2;
      return random() < 0.5 ? magnitude : -magnitude;
    },
  },
  {
    name: 'Student, 3 df',
    draw: (random) => {
      const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
      return normal(random) / Math.sqrt(squares / 3) / Math.sqrt(3);
    },
  },
  {
    // 0.9·N(0, 1) + 0.1·N(4, 1): mean 0.4, variance 1 + 0.09·16.
    name: 'one run in ten disturbed',
    draw: (random) => (normal(random) + (random() < 0.1 ? 4 : 0) - 0.4) / Math.sqrt(2.44),
  },
];

/** Per-run values around a level, with this coefficient of variation between them. */
export function drawRuns(
  runs: number,
  level: number,
  cv: number,
  shape: NoiseShape,
  random: () => number,
): number[] {
  const sdLog = Math.sqrt(Math.log1p(cv * cv));
  return Array.from({ length: runs }, () => level * Math.exp(sdLog * shape.draw(random)));
}
