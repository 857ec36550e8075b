import { expect, it } from 'vitest';
import { memorySvg, sparkline } from './memory-plot.js';

const samples = [0, 1, 2, 3].map((atSeconds) => ({ atSeconds, bytes: (100 + atSeconds) * 2 ** 20 }));

it('draws a line of all samples within the picture', () => {
  const svg = memorySvg('RSS', [{ label: 'generator', colour: 'blue', samples }], 1);
  const points = /points="([^"]+)"/
    .exec(svg)![1]!
    .split(' ')
    .map((point) => point.split(',').map(Number));
  expect(points).toHaveLength(4);
  for (const [x, y] of points) {
    expect(x).toBeGreaterThanOrEqual(70);
    expect(x).toBeLessThanOrEqual(880);
    expect(y).toBeGreaterThanOrEqual(40);
    expect(y).toBeLessThanOrEqual(280);
  }
  // More memory is higher up.
  expect(points[3]![1]).toBeLessThan(points[0]![1]!);
});

it('draws a line of text', () => {
  expect(sparkline(samples, 4)).toBe('▁▃▆█');
  expect(sparkline(samples, 2)).toBe('▁█');
  expect(sparkline([], 10)).toBe('');
});
