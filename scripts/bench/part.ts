import { type Contestant, makeRow, type RoundFigures, type Row, type RowSpec, runRounds } from './rounds.js';
import { show } from './bench-report.js';
import { stolenShareLimit, type Undisturbed } from './undisturbed.js';

/** One part of a benchmark: what was measured in turn, and the rows made from it. */
export interface Part {
  readonly rows: readonly Row[];
  readonly figures: RoundFigures;
  readonly notes: readonly string[];
  /** Each measurement that counts, with what disturbed it. */
  readonly measurements: readonly Undisturbed<unknown>[];
}

/** Measures the contestants in alternating rounds and makes the rows; says on the way what was measured. */
export async function measurePart(
  contestants: readonly Contestant[],
  rounds: number,
  specs: readonly RowSpec[],
  notes: readonly string[] = [],
): Promise<Part> {
  const measurements: Undisturbed<unknown>[] = [];
  const figures = await runRounds(contestants, rounds, (round, name, measured) => {
    measurements.push(measured);
    const text = Object.entries(measured.taken).map(([key, value]) => `${key} ${show(value)}`);
    console.log(`  round ${round + 1} · ${name}: ${text.join(' · ')}${theftOf(measured)}`);
  });
  const rows = specs.map((spec) => makeRow(spec, figures)).filter((row) => row !== null);
  return { rows, figures, notes, measurements };
}

function theftOf({ stolenShare, attempts }: Undisturbed<unknown>): string {
  const stolen = stolenShare !== null && stolenShare > 0 ? ` · stolen ${percent(stolenShare)}` : '';
  return attempts > 1 ? `${stolen} (attempt ${attempts})` : stolen;
}

/** How often the hypervisor disturbed the measurements, and what it took of those that count. */
export function theftNote(measurements: readonly Undisturbed<unknown>[]): string {
  const shares = measurements.map(({ stolenShare }) => stolenShare).filter((share) => share !== null);
  if (shares.length === 0) return 'Whether a hypervisor took CPU away cannot be seen on this system.';
  const again = measurements.reduce((sum, { attempts }) => sum + attempts - 1, 0);
  const over = shares.filter((share) => share > stolenShareLimit).length;
  return (
    `Measurements from which a hypervisor took more than ${percent(stolenShareLimit)} of the cores were taken again, up to five times, whatever their figures: ` +
    `${again} repetitions for ${measurements.length} measurements. Of those that count ${over} lost more than that, at most ${percent(Math.max(...shares))}.`
  );
}

function percent(share: number): string {
  return `${show(share * 100)} %`;
}
