import { highestOf, lowestOf } from '../../stats/bucket-layout.js';
import type { HistogramSnapshot } from '../../stats/histogram.js';
import { formatDurationTight, formatPercent } from '../../result/units.js';
import { pad } from '../formats/display-width.js';

export interface LatencyBar {
  fromNs: number;
  toNs: number;
  count: number;
}

// Steps within a decade, from coarse to fine, that still read as round numbers.
const series = [
  [1],
  [1, 3],
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2],
  [
    1, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2, 2.2, 2.4, 2.7, 3, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5,
    8.2, 9.1,
  ],
];

/** Counts by latency, in at most so many bars whose limits are round and evenly spaced on a logarithmic scale. */
export function latencyBars(snapshot: HistogramSnapshot, most: number): LatencyBar[] {
  if (snapshot.count === 0) return [];
  const edges = edgesFor(Math.max(1, snapshot.minNs), Math.max(1, snapshot.maxNs), most);
  const bars = edges.slice(0, -1).map((fromNs, index) => ({ fromNs, toNs: edges[index + 1]!, count: 0 }));
  let bar = 0;
  for (let i = 0; i < snapshot.indices.length; i++) {
    const bucket = snapshot.indices[i]!;
    const middleNs = (lowestOf(bucket) + highestOf(bucket)) / 2;
    while (bar < bars.length - 1 && middleNs >= bars[bar]!.toNs) bar++;
    bars[bar]!.count += snapshot.counts[i]!;
  }
  return bars;
}

/** The bars as lines of text, with the bar that each of the marked values falls into named after it. */
export function barLines(
  bars: readonly LatencyBar[],
  marks: readonly { title: string; ns: number }[],
  width: number,
): string[] {
  const total = bars.reduce((sum, bar) => sum + bar.count, 0);
  const most = Math.max(...bars.map((bar) => bar.count));
  const labels = bars.map((bar) => formatDurationTight(bar.fromNs));
  const shares = bars.map((bar) => formatPercent(bar.count / total));
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const shareWidth = Math.max(...shares.map((share) => share.length));
  const titles = bars.map((bar) =>
    marks
      .filter(({ ns }) => ns >= bar.fromNs && (ns < bar.toNs || bar === bars.at(-1)))
      .map(({ title }) => title)
      .join(' '),
  );
  const titleWidth = Math.max(...titles.map((title) => title.length)) + 2;
  const room = Math.max(8, Math.min(60, width - labelWidth - shareWidth - titleWidth - 5));
  return bars.map((bar, index) => {
    const drawn = pad(blocks(bar.count / most, room), room);
    return `${pad(labels[index]!, labelWidth, 'right')} │${drawn} ${pad(shares[index]!, shareWidth, 'right')}  ${titles[index]}`.trimEnd();
  });
}

/** A bar in eighths of a column; what is not nothing shows at least as a sliver. */
function blocks(share: number, width: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + (eighths % 8 > 0 ? '▏▎▍▌▋▊▉'[(eighths % 8) - 1] : '');
}

function edgesFor(minNs: number, maxNs: number, most: number): number[] {
  let edges: number[] = [];
  for (const steps of series) {
    const finer = edgesOf(steps, minNs, maxNs);
    if (edges.length > 0 && finer.length - 1 > most) break;
    edges = finer;
  }
  return edges;
}

function edgesOf(steps: readonly number[], minNs: number, maxNs: number): number[] {
  const edges: number[] = [];
  for (let decade = Math.floor(Math.log10(minNs)); ; decade++)
    for (const step of steps) {
      const edge = Number((step * 10 ** decade).toPrecision(3));
      if (edge <= minNs) edges[0] = edge;
      else edges.push(edge);
      if (edge > maxNs) return edges;
    }
}
