import type { MemorySample } from './memory-growth.js';

/** A line of the plot. */
export interface PlotLine {
  readonly label: string;
  readonly colour: string;
  readonly samples: readonly MemorySample[];
}

const width = 900;
const height = 320;
const margin = { left: 70, right: 20, top: 40, bottom: 40 };
const bars = '▁▂▃▄▅▆▇█';

/** Memory over time as an SVG picture, from 0 so that growth is not made to look larger than it is; the warm-up is shaded. */
export function memorySvg(title: string, lines: readonly PlotLine[], warmupSeconds: number): string {
  const all = lines.flatMap(({ samples }) => samples);
  const endSeconds = Math.max(1, ...all.map(({ atSeconds }) => atSeconds));
  const topMb = niceTop(Math.max(1, ...all.map(({ bytes }) => bytes / 2 ** 20)));
  const x = (seconds: number): number =>
    margin.left + (seconds / endSeconds) * (width - margin.left - margin.right);
  const y = (mb: number): number =>
    height - margin.bottom - (mb / topMb) * (height - margin.top - margin.bottom);
  const points = (samples: readonly MemorySample[]): string =>
    samples
      .map(({ atSeconds, bytes }) => `${x(atSeconds).toFixed(1)},${y(bytes / 2 ** 20).toFixed(1)}`)
      .join(' ');
  const steps = Array.from({ length: 5 }, (_, i) => i / 4);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${margin.left}" y="22" font-size="14">${title}</text>`,
    `<rect x="${x(0)}" y="${margin.top}" width="${(x(Math.min(warmupSeconds, endSeconds)) - x(0)).toFixed(1)}" height="${height - margin.top - margin.bottom}" fill="#eee"/>`,
    ...steps.map(
      (step) =>
        `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(step * topMb)}" y2="${y(step * topMb)}" stroke="#ccc"/>` +
        `<text x="${margin.left - 8}" y="${y(step * topMb) + 4}" text-anchor="end">${Math.round(step * topMb)} MB</text>` +
        `<text x="${x(step * endSeconds)}" y="${height - margin.bottom + 20}" text-anchor="middle">${Math.round(step * endSeconds)} s</text>`,
    ),
    ...lines.map(
      ({ label, colour, samples }, i) =>
        `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points(samples)}"/>` +
        `<text x="${width - margin.right - 160 * (lines.length - i)}" y="22" fill="${colour}">${label}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n');
}

/** The same as one line of text, from the lowest to the highest value. */
export function sparkline(samples: readonly MemorySample[], columns: number): string {
  if (samples.length === 0) return '';
  const values = Array.from({ length: Math.min(columns, samples.length) }, (_, column) => {
    const from = Math.floor((column * samples.length) / Math.min(columns, samples.length));
    return samples[from]!.bytes;
  });
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  return values.map((value) => bars[Math.min(7, Math.floor(((value - least) / range) * 8))]).join('');
}

function niceTop(mb: number): number {
  const unit = 10 ** Math.floor(Math.log10(mb));
  return [1, 2, 4, 6, 8, 10].map((times) => times * unit).find((top) => top >= mb)!;
}
