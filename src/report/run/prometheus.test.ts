import { expect, test } from 'vitest';
import { prometheusReport } from './prometheus.js';
import { results, withMetrics } from './results.fixture.js';

test.each(['happy', 'hostile', 'disturbed'])('%s looks as it did', async (name) => {
  const result = withMetrics(results[name]!(), 'call.response', 'call.response{tool:echo}');
  await expect(prometheusReport(result)).toMatchFileSnapshot(`./golden/prometheus-${name}.txt`);
});

test.each(Object.keys(results))('%s is what a strict parser takes', (name) => {
  const samples = parse(prometheusReport(results[name]!()));
  expect(samples.length).toBeGreaterThan(20);
});

test('histograms are cumulative and end at the count', () => {
  const result = results.happy!();
  const samples = parse(prometheusReport(result)).filter(
    ({ name, labels }) => name.startsWith('mcp_bench_latency') && labels.metric === 'call.response',
  );
  const buckets = samples.filter(({ name }) => name === 'mcp_bench_latency_seconds_bucket');
  const counts = buckets.map(({ value }) => value);
  const limits = buckets.map(({ labels }) => (labels.le === '+Inf' ? Infinity : Number(labels.le)));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(12_000);
  expect(samples.find(({ name }) => name.endsWith('_count'))?.value).toBe(12_000);
  const median = samples.find(({ labels }) => labels.quantile === '0.5')?.value;
  expect(median).toBeCloseTo(result.metrics['call.response']!.p50 / 1e9, 9);
});

test('outcomes add up to the calls started, over all and by tool', () => {
  const samples = parse(prometheusReport(results.thresholdsFailed!()));
  const sum = (wanted: string): number =>
    samples.filter(({ name }) => name === wanted).reduce((total, { value }) => total + value, 0);
  expect(sum('mcp_bench_calls_total')).toBe(sum('mcp_bench_calls_started_total'));
  expect(sum('mcp_bench_tool_calls_total')).toBe(12_000);
});

test('labels come back as they were, but for what no label should hold', () => {
  const name = 'a "quoted" \\ path\\n';
  const samples = parse(prometheusReport({ ...results.happy!(), name: `${name}\u001b\n` }));
  expect(samples.every(({ labels }) => labels.scenario === name)).toBe(true);
});

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The text format, version 0.0.4, and nothing but it; families must not be torn apart, nor a series come twice. */
function parse(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  const samples: Sample[] = [];
  const families = new Set<string>();
  const series = new Set<string>();
  let family = '';
  let type = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) (\S.*)$/.exec(line);
    const kind = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      family = help[1]!;
      if (families.has(family)) throw new Error(`family ${family} comes twice`);
      families.add(family);
    } else if (kind) {
      if (kind[1] !== family) throw new Error(`TYPE of ${kind[1]} among ${family}`);
      type = kind[2]!;
    } else {
      const sample = parseSample(line);
      const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!suffixes.some((suffix) => sample.name === family + suffix))
        throw new Error(`${line} is not of ${family}`);
      if (type === 'counter' && !(sample.name.endsWith('_total') && sample.value >= 0)) throw new Error(line);
      const id = sample.name + JSON.stringify(Object.entries(sample.labels).sort());
      if (series.has(id)) throw new Error(`${line} comes twice`);
      series.add(id);
      samples.push(sample);
    }
  }
  return samples;
}

function parseSample(line: string): Sample {
  const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/.exec(line);
  if (!match) throw new Error(`not a sample: ${line}`);
  const [, name, inner = '', value] = match;
  const labels: Record<string, string> = {};
  let rest = inner;
  while (rest !== '') {
    const pair = /^([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/.exec(rest);
    if (!pair) throw new Error(`not a label: ${rest}`);
    if (Object.hasOwn(labels, pair[1]!)) throw new Error(`label ${pair[1]} comes twice`);
    labels[pair[1]!] = pair[2]!.replace(/\\(.)/g, (_, character: string) =>
      character === 'n' ? '\n' : character,
    );
    rest = rest.slice(pair[0].length);
  }
  return { name: name!, labels, value: Number(value!.replace('Inf', 'Infinity')) };
}
