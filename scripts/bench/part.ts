import { type Contestant, makeRow, type RoundFigures, type Row, type RowSpec, runRounds } from './rounds.js';
import { show } from './bench-report.js';

/** One part of a benchmark: what was measured in turn, and the rows made from it. */
export interface Part {
  readonly rows: readonly Row[];
  readonly figures: RoundFigures;
  readonly notes: readonly string[];
}

/** Measures the contestants in alternating rounds and makes the rows; says on the way what was measured. */
export async function measurePart(
  contestants: readonly Contestant[],
  rounds: number,
  specs: readonly RowSpec[],
  notes: readonly string[] = [],
): Promise<Part> {
  const figures = await runRounds(contestants, rounds, (round, name, measured) => {
    const text = Object.entries(measured).map(([key, value]) => `${key} ${show(value)}`);
    console.log(`  round ${round + 1} · ${name}: ${text.join(' · ')}`);
  });
  const rows = specs.map((spec) => makeRow(spec, figures)).filter((row) => row !== null);
  return { rows, figures, notes };
}
