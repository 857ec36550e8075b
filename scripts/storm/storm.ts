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
import { balance } from './books.js';
import type { Entry } from './entry.js';
import { impossible, stormMock, stormScenario, type StormSpeech } from './storm-load.js';

// `npm run storm [-- --only sse,streamable,stateless]`: every fault of the mock at once, and the books of both sides held against each other. Exit 1 where they differ.

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '2000' },
    out: { type: 'string', default: 'results/storm' },
    only: { type: 'string' },
  },
});
const titles: Record<StormSpeech, string> = {
  sse: 'HTTP+SSE',
  streamable: 'Streamable HTTP with sessions, 2025-11-25',
  stateless: 'Streamable HTTP without sessions, 2026-07-28',
};
const lost: Record<StormSpeech, string> = {
  sse: 'Where a stream is cut',
  streamable: 'Where a reply is cut, or a session forgotten,',
  stateless: 'Where a reply is cut',
};
const size = {
  sessions: Number(values.sessions),
  seconds: Number(values.seconds),
  callsPerSec: Number(values.rate),
};
const speeches = values.only?.split(',') ?? Object.keys(titles);
const machine = describeMachine();
const date = new Date().toISOString();
const storms = [];
for (const speech of Object.keys(titles) as StormSpeech[])
  if (speeches.includes(speech)) storms.push(await storm(speech));
const text = ['# Every fault at once', '', machineLine(date, machine), '', ...storms.map(report)].join('\n');
console.log(text);
writeFileWhole(join(values.out, 'storm.md'), text);
writeFileWhole(
  join(values.out, 'storm.json'),
  `${JSON.stringify({ date, machine, size, storms: storms.map(written) }, null, 2)}\n`,
);
const isGood = ({ idle, entries }: Storm): boolean =>
  idle.length === 0 && entries.every(({ holds }) => holds);
process.exitCode = storms.length > 0 && storms.every(isGood) ? 0 : 1;

interface Storm {
  readonly speech: StormSpeech;
  readonly result: RunResult;
  readonly mock: StatsSnapshot;
  readonly entries: readonly Entry[];
  /** Faults that never came. */
  readonly idle: readonly string[];
}

async function storm(speech: StormSpeech): Promise<Storm> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-storm-'));
  try {
    const config = join(folder, 'mock.yaml');
    // JSON is YAML, too.
    writeFileSync(config, JSON.stringify(stormMock(500, speech)));
    const { result, failure } = await executePlan(planScenario(stormScenario(size, speech)), {
      mockArgs: ['--config', config],
    });
    if (failure !== null) throw failure;
    const mock = result.target.mockStats as StatsSnapshot;
    const idle = faultNames.filter((name) => mock.injected[name] === 0 && !impossible[speech].includes(name));
    return { speech, result, mock, entries: balance(result, mock), idle };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function written({ speech, result, mock, entries }: Storm): object {
  const { totals, warmup, sessions } = result;
  return { speech, entries, totals, warmup, sessions, mock };
}

function report({ speech, result, mock, entries, idle }: Storm): string {
  const { totals, warmup, sessions, validity } = result;
  const held = entries.filter(({ holds }) => holds).length;
  const number = (count: number): string => count.toLocaleString('en-US');
  const bounds = ({ atLeast, atMost }: Entry): string =>
    atLeast === atMost ? number(atMost) : `${number(atLeast)} … ${number(atMost)}`;
  const ends = outcomeKinds(totals.outcomes).map(({ outcome, code, count }) => [
    code === null ? outcome : `${outcome} ${code}`,
    number(count),
  ]);
  return [
    `## ${titles[speech]}`,
    '',
    `${number(size.sessions)} sessions, ${number(size.callsPerSec)} calls/s for ${size.seconds} s after a warm-up of 1 s; seed ${mock.seed}, engine ${mock.engine}.`,
    `${number(totals.started)} calls measured and ${number(warmup.started)} to warm up; ${number(sessions.opened)} sessions opened, ${number(sessions.dropped)} of them cut. The measurement was ${validity.state}, which changes no count.`,
    '',
    `**${held} of ${entries.length} entries of the books hold${idle.length === 0 ? '' : `; never injected: ${idle.join(', ')}`}.**`,
    `${lost[speech]} neither side can know what went with it: such counts have bounds, as wide as the number of calls that ended so or ran out of time.`,
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
