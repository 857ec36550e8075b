// What recording a latency costs, beside hdr-histogram-js in the same run. Run: npm run build && node dist/scripts/bench/bench-record.js
import { build } from 'hdr-histogram-js';
import { encodeV2, toHdr } from '../../src/stats/hdr.js';
import { Histogram } from '../../src/stats/histogram.js';

const values = latencies(1 << 16);
const hdr = build({
  bitBucketSize: 32,
  autoResize: false,
  lowestDiscernibleValue: 1,
  highestTrackableValue: 2 ** 42 - 1,
  numberOfSignificantValueDigits: 3,
});
const ours = new Histogram();
const twenty = Array.from({ length: 20 }, () => new Histogram());

const filled = new Histogram();
const rounds = 20;

// A loop for each: one that all share would measure V8's polymorphic calls.
const perRecord: [string, () => void][] = [
  ['an empty loop', () => sumAll()],
  ['record, one histogram', () => recordOne()],
  ['record, 20 histograms in turn', () => recordTwenty()],
  ['hdr-histogram-js recordValue', () => recordHdr()],
];
const perCall: [string, () => unknown][] = [
  ['1,000 records and a reset', () => resetFilled()],
  ['snapshot', () => ours.snapshot()],
  ['valueAtPercentile(99)', () => ours.valueAtPercentile(99)],
  ['toHdr (main thread)', () => toHdr(ours)],
  ['encodeV2 (main thread)', () => encodeV2(ours)],
];

console.log('a log-normal of 65,536 values around 1 ms; 9 rounds in turn');
const turns = Array.from({ length: 9 }, () =>
  perRecord.map(([, run]) => timeNs(run) / (rounds * values.length)),
);
console.log(`${''.padEnd(32)} ${'median'.padStart(9)}    ${'best'.padStart(9)}`);
for (const [i, [name]] of perRecord.entries())
  print(
    name,
    turns.map((turn) => turn[i]!),
    'ns',
  );
for (const [name, call] of perCall)
  print(
    name,
    Array.from({ length: 9 }, () => timeNs(() => repeat(call, 200)) / 200_000),
    'µs',
  );

function sumAll(): number {
  let sum = 0;
  for (let round = 0; round < rounds; round++) for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

function recordOne(): void {
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < values.length; i++) ours.record(values[i]!);
}

function recordTwenty(): void {
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < values.length; i++) twenty[i % 20]!.record(values[i]!);
}

function recordHdr(): void {
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < values.length; i++) hdr.recordValue(values[i]!);
}

function resetFilled(): void {
  for (let i = 0; i < 1000; i++) filled.record(values[i]!);
  filled.reset();
}

function repeat(call: () => unknown, times: number): void {
  for (let i = 0; i < times; i++) call();
}

function timeNs(run: () => unknown): number {
  // CPU time, not time on the wall: other programs must not count.
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

function print(name: string, figures: number[], unit: string): void {
  figures.sort((a, b) => a - b);
  const [best, median] = [figures[0]!, figures[figures.length >> 1]!];
  console.log(
    `${name.padEnd(32)} ${median.toFixed(1).padStart(9)} ${unit} ${best.toFixed(1).padStart(9)} ${unit}`,
  );
}

function latencies(count: number): Float64Array {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Float64Array.from({ length: count }, () => Math.round(1e6 * Math.exp(0.6 * normal())));
}
