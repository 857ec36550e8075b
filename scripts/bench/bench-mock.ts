import { type BenchReport, describeMachine, publish } from './bench-report.js';
import { mockRatePart } from './mock-rate.js';
import { mockSessionsPart } from './mock-sessions.js';
import { mockLonePart } from './mock-lone.js';
import { mockVariantsPart } from './mock-variants.js';
import { isWanted, readBenchOptions } from './options.js';
import type { Part } from './part.js';
import { wrkVersion } from './wrk.js';

// `npm run bench:mock`: how fast the mock is, as ratios within this run.

const options = readBenchOptions(process.argv.slice(2), {
  seconds: 4,
  rounds: 5,
  out: 'results/bench',
  only: [],
});
const parts: readonly (readonly [string, () => Promise<Part>])[] = [
  ['rate', () => mockRatePart(options)],
  ['lone', () => mockLonePart(options)],
  ['sessions', () => mockSessionsPart(options)],
  ['variants', () => mockVariantsPart(options)],
];
const machine = describeMachine();
const wrk = wrkVersion();
const done: Part[] = [];
for (const [name, run] of parts) {
  if (!isWanted(options, name)) continue;
  console.log(`${name}:`);
  done.push(await run());
}
const report: BenchReport = {
  name: 'mock',
  title: 'How fast the mock is',
  date: new Date().toISOString(),
  machine,
  seconds: options.seconds,
  rounds: options.rounds,
  rows: done.flatMap(({ rows }) => rows),
  figures: Object.assign({}, ...done.map(({ figures }) => figures)),
  notes: [
    wrk === null
      ? 'wrk is not installed: plain POSTs come from the reference client alone.'
      : `wrk ${wrk}, one thread.`,
    'The mock, and each client, in a process of its own. reference: scripts/bench/clients/reference-client.ts, raw sockets that parse nothing.',
    ...done.flatMap(({ notes }) => notes),
  ],
};
publish(report, options.out);
