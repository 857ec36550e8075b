import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../src/result/write-file.js';
import { describeMachine } from '../bench/bench-report.js';
import { aaReport, settingReport } from './aa-report.js';
import { flatOut } from './flat-out.js';
import { judgePool, type SettingOutcome } from './outcome.js';
import { gatherPool } from './pool.js';
import { steady } from './steady.js';

// `npm run aa`: real runs, compared as users compare them: how often equal servers are called slower, and a slower one is found. Exit 1 where a
// promise is broken. `-- --only steady --pool 20 --seconds 2 --comparisons 40 --runs 5 --seed 1 --out results/aa`

const settings = { steady, 'flat-out': flatOut };

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    pool: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '3' },
    comparisons: { type: 'string', default: '40' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: join('results', 'aa') },
  },
});
const size = whole('pool', 4);
const runsASide = whole('runs', 4);
const comparisons = whole('comparisons', 1);
const seconds = whole('seconds', 1);
const seed = whole('seed', 0);
if (size < 2 * runsASide)
  throw new Error(`--pool: equal sides of ${runsASide} runs need ${2 * runsASide} of each server`);
if (values.only !== undefined && !(values.only in settings))
  throw new Error(`--only: expected ${Object.keys(settings).join(' or ')}, found "${values.only}"`);

const kept = readKept();
for (const [name, make] of Object.entries(settings)) {
  if (values.only !== undefined && name !== values.only) continue;
  const machine = describeMachine();
  const start = new Date();
  const setting = await make(seconds);
  const pool = await gatherPool(setting, size, (line) => console.log(line));
  const outcome = judgePool(
    setting,
    pool,
    { comparisons, runsASide, seed },
    { date: start.toISOString(), machine, seconds, minutes: (Date.now() - start.getTime()) / 60_000 },
  );
  kept.set(name, outcome);
  console.log(`\n${settingReport(outcome).join('\n')}`);
  keep();
  if (outcome.checks.some(({ verdict }) => verdict === 'BROKEN')) process.exitCode = 1;
}

/** What was kept of the settings before: one setting may be run without the other. */
function readKept(): Map<string, SettingOutcome> {
  const path = join(values.out, 'aa.json');
  const before = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { settings: SettingOutcome[] }).settings
    : [];
  return new Map(before.map((outcome) => [outcome.name, outcome]));
}

function keep(): void {
  const outcomes = Object.keys(settings).flatMap((name) => kept.get(name) ?? []);
  writeFileWhole(join(values.out, 'aa.md'), aaReport(outcomes));
  writeFileWhole(join(values.out, 'aa.json'), `${JSON.stringify({ settings: outcomes }, null, 1)}\n`);
  console.log(`written: ${join(values.out, 'aa.md')}, ${join(values.out, 'aa.json')}`);
}

function whole(name: 'pool' | 'seconds' | 'comparisons' | 'runs' | 'seed', least: number): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name}: expected a whole number from ${least} on, found "${values[name]}"`);
  return value;
}
