import { join } from 'node:path';
import { writeFileWhole } from '../../src/result/write-file.js';
import { describeMachine, machineLine, show, table } from './bench-report.js';
import { runProgram } from './child-program.js';
import type { GeneratorFigures } from './clients/generator.js';
import { scenarioOf } from './generator-under-test.js';
import { findGrowth, type MemorySample } from './memory-growth.js';
import { memorySvg, sparkline } from './memory-plot.js';
import { readCounts, startWarmMock } from './mock-under-test.js';
import { readBenchOptions } from './options.js';
import { residentBytes } from './resident-memory.js';

// `npm run soak`: ten minutes at full rate; the generator's memory must not grow once it is warm. Exit 1 where it does.

const mb = 2 ** 20;
const { seconds, out } = readBenchOptions(process.argv.slice(2), {
  seconds: 600,
  rounds: 1,
  out: 'results/bench',
  only: [],
});
const warmupSeconds = Math.max(10, seconds / 5);
const machine = describeMachine();
const date = new Date().toISOString();
const generator: MemorySample[] = [];
const mock: MemorySample[] = [];
const mockProcess = await startWarmMock();
try {
  const figures = await soak();
  const { calls } = await readCounts(mockProcess);
  publish(figures, calls.received);
} finally {
  await mockProcess.stop();
}

async function soak(): Promise<GeneratorFigures> {
  const scenario = scenarioOf({
    sessions: 100,
    inFlight: 4,
    posts: 'pipelined',
    workers: 1,
    warmupSeconds: 0,
    seconds,
  });
  const startMs = performance.now();
  let sampler: NodeJS.Timeout | undefined;
  const options = { url: mockProcess.url, scenario };
  try {
    return await runProgram('clients/generator', options, seconds * 1000 + 120_000, (pid) => {
      sampler = setInterval(() => sample(pid, (performance.now() - startMs) / 1000), 1000);
    });
  } finally {
    clearInterval(sampler);
  }
}

function sample(pid: number, atSeconds: number): void {
  // What comes after the last call is the writing of the result.
  if (atSeconds > seconds) return;
  generator.push({ atSeconds, bytes: residentBytes(pid) });
  mock.push({ atSeconds, bytes: residentBytes(mockProcess.pid) });
  if (generator.length % 30 === 0)
    console.log(
      `${Math.round(atSeconds)} s: generator ${show(generator.at(-1)!.bytes / mb)} MB, mock ${show(mock.at(-1)!.bytes / mb)} MB`,
    );
}

function publish(figures: GeneratorFigures, receivedEver: number): void {
  const growth = findGrowth(generator, warmupSeconds);
  const mockGrowth = findGrowth(mock, warmupSeconds);
  const perCall = growth.bytesPerSecond / figures.callsPerSec;
  const rows = [
    ['calls sent, answered', `${show(figures.sent)}, ${show(figures.ok)}`],
    ['calls/s', show(figures.callsPerSec)],
    ['memory after the warm-up, median', `${show(growth.levelBytes / mb)} MB`],
    ['growth after the warm-up', `${show(growth.growthBytes / mb)} MB`],
    ['allowed', `${show(growth.allowedBytes / mb)} MB`],
    ['the same per call', `${perCall.toFixed(4)} bytes`],
    ['trend (z of Mann and Kendall)', show(growth.trendZ)],
    [
      'the mock, for comparison: level, growth',
      `${show(mockGrowth.levelBytes / mb)} MB, ${show(mockGrowth.growthBytes / mb)} MB`,
    ],
  ];
  const text = [
    '# Whether memory grows',
    '',
    machineLine(date, machine),
    '',
    `${seconds} s at full rate: 100 sessions × 4 in flight, pipelined, one worker. Resident memory of the generator's process, each second;`,
    `the first ${warmupSeconds} s are warm-up. Growth is the slope of Theil and Sen over medians of 10 s, times the time after the warm-up.`,
    '',
    `**${growth.grows ? 'MISSED: it grows' : 'met: it does not grow'}** (more than 5 %, and surely a trend)`,
    '',
    `\`${sparkline(generator, 80)}\``,
    '',
    ...table(['figure', 'value'], rows),
    '',
    '![resident memory over time](soak.svg)',
    '',
  ].join('\n');
  console.log(`\n${text}`);
  writeFileWhole(join(out, 'soak.md'), text);
  writeFileWhole(
    join(out, 'soak.svg'),
    memorySvg(
      `Resident memory over ${seconds} s at full rate`,
      [
        { label: 'generator', colour: '#1f5fbf', samples: generator },
        { label: 'mock', colour: '#b05a00', samples: mock },
      ],
      warmupSeconds,
    ),
  );
  writeFileWhole(
    join(out, 'soak.json'),
    `${JSON.stringify({ date, machine, seconds, warmupSeconds, growth, mockGrowth, figures, receivedEver, generator, mock })}\n`,
  );
  process.exitCode = growth.grows ? 1 : 0;
}
