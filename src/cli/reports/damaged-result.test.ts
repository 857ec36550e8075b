import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { loadRunReport } from './run-reports.js';
import { compareRuns } from '../../compare/compare-runs.js';
import { Failure } from '../../failure.js';
import { terminalReport } from '../../report/run/terminal.js';
import { results } from '../../report/run/results.fixture.js';
import { damagedResult } from '../../result/damaged-result.js';
import { readResult } from '../../result/read-result.js';

// Hundreds of files are written and read.
vi.setConfig({ testTimeout: 240_000 });

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-damaged-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'r.json');

type Place = readonly (string | number)[];

/** Every place in a value; of what there are many alike, those of the first. */
function places(value: unknown, above: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [above];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const members = Array.isArray(value) || above.at(-1) === 'metrics' ? keys.slice(0, 1) : keys;
  return [
    above,
    ...members.flatMap((key) => places((value as Record<string, unknown>)[key], [...above, key])),
  ];
}

function replaced(value: unknown, place: Place, by: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

test('a whole result is none', () => {
  writeFileSync(path, JSON.stringify(results.happy!()));
  readResult(path);
  expect(damagedResult()).toBeNull();
});

test('whatever in a file is of another kind is refused, does no harm, or is found where it does', async () => {
  const whole = results.happy!();
  const reports = await Promise.all((['md', 'junit', 'csv', 'hlog'] as const).map(loadRunReport));
  const unexplained: string[] = [];
  let harmful = 0;
  for (const place of places(whole).slice(1))
    for (const by of [null, 'x', [5]]) {
      writeFileSync(path, JSON.stringify(replaced(whole, place, by)));
      try {
        const result = readResult(path);
        terminalReport(result, { colour: false, width: 100, path });
        for (const { text, beside } of reports) {
          text(result);
          beside?.text(result);
        }
        // It takes as long as all the others.
        if (by === null) compareRuns([result, whole], [whole, result], { margins: {} });
      } catch (error) {
        harmful++;
        if (!(error instanceof Failure) && damagedResult() === null)
          unexplained.push(`${place.join('.')} = ${JSON.stringify(by)}: ${(error as Error).message}`);
      }
    }
  expect(unexplained).toEqual([]);
  expect(harmful).toBeGreaterThan(100);
});
