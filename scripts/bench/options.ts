import { parseArgs } from 'node:util';

/** What every benchmark can be told on the command line. */
export interface BenchOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  /** How often all measurements are repeated, in turn. */
  readonly rounds: number;
  /** Where tables go. */
  readonly out: string;
  /** Only parts whose name contains one of these; empty: all. */
  readonly only: readonly string[];
}

/** Reads `--seconds`, `--rounds`, `--out` and `--only`; throws on anything else. */
export function readBenchOptions(argv: readonly string[], defaults: BenchOptions): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      out: { type: 'string' },
      only: { type: 'string' },
    },
  });
  return {
    seconds: positive('--seconds', values.seconds, defaults.seconds),
    rounds: Math.ceil(positive('--rounds', values.rounds, defaults.rounds)),
    out: values.out ?? defaults.out,
    only: values.only?.split(',') ?? defaults.only,
  };
}

/** Whether a part of a benchmark is wanted. */
export function isWanted({ only }: BenchOptions, part: string): boolean {
  return only.length === 0 || only.some((name) => part.includes(name));
}

function positive(option: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option}: expected a number above 0, found "${text}"`);
  return value;
}
