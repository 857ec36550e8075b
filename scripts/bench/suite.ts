import { describeMachine, publish } from './bench-report.js';
import { type BenchOptions, isWanted, readBenchOptions } from './options.js';
import { type Part, theftNote } from './part.js';
import { wrkVersion } from './wrk.js';

/** A benchmark of several parts, which can also be run one by one (`--only`). */
export interface Suite {
  /** Name of its files. */
  readonly name: string;
  readonly title: string;
  readonly parts: Readonly<Record<string, (options: BenchOptions) => Promise<Part>>>;
  readonly notes: readonly string[];
}

/** Runs what the command line asks for and publishes the table. */
export async function runSuite(suite: Suite): Promise<void> {
  const defaults = { seconds: 4, rounds: 5, out: 'results/bench', only: [] };
  const options = readBenchOptions(process.argv.slice(2), defaults);
  const machine = describeMachine();
  const date = new Date().toISOString();
  const done: Part[] = [];
  for (const [name, run] of Object.entries(suite.parts)) {
    if (!isWanted(options, name)) continue;
    console.log(`${name}:`);
    done.push(await run(options));
  }
  const wrk = wrkVersion();
  publish(
    {
      name: suite.name,
      title: suite.title,
      date,
      machine,
      seconds: options.seconds,
      rounds: options.rounds,
      rows: done.flatMap(({ rows }) => rows),
      figures: Object.assign({}, ...done.map(({ figures }) => figures)) as Part['figures'],
      notes: [
        wrk === null ? 'wrk is not installed: others stand in for it.' : `wrk ${wrk}, one thread.`,
        theftNote(done.flatMap(({ measurements }) => measurements)),
        ...suite.notes,
        ...done.flatMap(({ notes }) => notes),
      ],
    },
    options.out,
  );
}
