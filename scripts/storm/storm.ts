import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultNames, type StatsSnapshot } from '../../mock-server/stats.js';
import { outcomeKinds } from '../../src/result/conservation.js';
import type { RunResult } from '../../src/result/result.js';
import { writeFileWhole } from '../../src/result/write-file.js';
import { executePlan } from '../../src/run/run.js';
import { planScenario } from '../../src/scenario/load-scenario.js';
import { describeMachine, machineLine, table } from '../bench/bench-report.js';
import { balance, type Entry } from './books.js';
import { stormMock, stormScenario } from './storm-load.js';

// `npm run storm`: every fault of the mock at once, and the books of both sides held against each other. Exit 1 where they differ.

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '2000' },
    out: { type: 'string', default: 'results/storm' },
  },
});
const size = {
  sessions: Number(values.sessions),
  seconds: Number(values.seconds),
  callsPerSec: Number(values.rate),
};
const machine = describeMachine();
const date = new Date().toISOString();
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-storm-'));
try {
  const config = join(folder, 'mock.yaml');
  // JSON is YAML, too.
  writeFileSync(config, JSON.stringify(stormMock(500)));
  const { result, failure } = await executePlan(planScenario(stormScenario(size)), {
    mockArgs: ['--config', config],
  });
  if (failure !== null) throw failure;
  const mock = result.target.mockStats as StatsSnapshot;
  const entries = balance(result, mock);
  const idle = faultNames.filter((name) => mock.injected[name] === 0);
  const text = report(result, mock, entries, idle);
  console.log(text);
  writeFileWhole(join(values.out, 'storm.md'), text);
  writeFileWhole(
    join(values.out, 'storm.json'),
    `${JSON.stringify({ date, machine, size, entries, totals: result.totals, warmup: result.warmup, sessions: result.sessions, mock }, null, 2)}\n`,
  );
  process.exitCode = idle.length === 0 && entries.every(({ holds }) => holds) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(
  { totals, warmup, sessions, validity }: RunResult,
  mock: StatsSnapshot,
  entries: readonly Entry[],
  idle: readonly string[],
): string {
  const held = entries.filter(({ holds }) => holds).length;
  const number = (count: number): string => count.toLocaleString('en-US');
  const bounds = ({ atLeast, atMost }: Entry): string =>
    atLeast === atMost ? number(atMost) : `${number(atLeast)} … ${number(atMost)}`;
  const ends = outcomeKinds(totals.outcomes).map(({ outcome, code, count }) => [
    code === null ? outcome : `${outcome} ${code}`,
    number(count),
  ]);
  return [
    '# Every fault at once',
    '',
    machineLine(date, machine),
    '',
    `${number(size.sessions)} sessions, ${number(size.callsPerSec)} calls/s for ${size.seconds} s after a warm-up of 1 s; seed ${mock.seed}, engine ${mock.engine}.`,
    `${number(totals.started)} calls measured and ${number(warmup.started)} to warm up; ${number(sessions.opened)} sessions opened, ${number(sessions.dropped)} of them cut. The measurement was ${validity.state}, which changes no count.`,
    '',
    `**${held} of ${entries.length} entries of the books hold${idle.length === 0 ? '' : `; never injected: ${idle.join(', ')}`}.**`,
    'Where a stream is cut neither side can know what went with it: such counts have bounds, as wide as the number of calls that ended with their stream or ran out of time.',
    '',
    ...table(
      ['entry', 'counted', 'must be', 'holds'],
      entries.map((entry) => [
        entry.what,
        number(entry.counted),
        bounds(entry),
        entry.holds ? 'yes' : '**NO**',
      ]),
    ),
    '',
    ...table(['outcome', 'calls'], ends),
    '',
    ...table(
      ['fault of the mock', 'times'],
      [...faultNames.map((name) => [name, number(mock.injected[name])]), ['freeze', number(mock.freezes)]],
    ),
    '',
  ].join('\n');
}
