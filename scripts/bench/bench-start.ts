import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../src/result/write-file.js';
import { describeMachine, machineLine, table } from './bench-report.js';
import { median } from '../../src/compare/median.js';

// `npm run bench:start`: the CPU time from the start of the program to its end, beside that of `node -e 0`. Exit 1 where a goal is missed.
// `-- --rounds 20 --node PATH --out results/bench`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    node: { type: 'string', default: process.execPath },
    out: { type: 'string', default: join('results', 'bench') },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds: expected a whole number from 1 on, found "${values.rounds}"`);

interface Start {
  readonly name: string;
  readonly args: readonly string[];
  /** At most this many times the CPU time of `node -e 0`; null: shown for comparison. */
  readonly goal: number | null;
}

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const scenario = fileURLToPath(new URL('../../../scenarios/smoke.yaml', import.meta.url));
const starts: readonly Start[] = [
  { name: 'node -e 0', args: ['-e', '0'], goal: null },
  { name: 'mcp-bench --version', args: [main, '--version'], goal: 2 },
  { name: 'mcp-bench --help', args: [main, '--help'], goal: 6 },
  { name: 'mcp-bench run --help', args: [main, 'run', '--help'], goal: null },
  { name: 'mcp-bench run --dry-run smoke.yaml', args: [main, 'run', '--dry-run', scenario], goal: 9 },
  // A process for each session: without stdin it ends at once.
  { name: 'mcp-bench serve-mock --stdio', args: [main, 'serve-mock', '--stdio'], goal: 3 },
];

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-start-'));
// A CommonJS file: `--import` would load what an ES module needs in `node -e 0` too, and flatter the ratios.
const tell = join(folder, 'tell.cjs');
writeFileSync(
  tell,
  `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, '\\ncpu ' + (user + system));
});`,
);
const [date, machine, version] = [
  new Date().toISOString(),
  describeMachine(),
  spawnSync(values.node, ['--version']),
];
try {
  const cpuUs = starts.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, { args }] of starts.entries()) cpuUs[at]!.push(measureCpuUs(args));
  const bare = median(cpuUs[0]!);
  const rows = starts.map(({ name, goal }, at) => {
    const ratio = median(cpuUs[at]!) / bare;
    const met = goal === null || ratio <= goal;
    if (!met) process.exitCode = 1;
    return [
      `\`${name}\``,
      `${(median(cpuUs[at]!) / 1000).toFixed(0)} ms`,
      `${ratio.toFixed(2)} ×`,
      goal === null ? '' : `≤ ${goal} ×`,
      goal === null ? '' : met ? 'met' : '**MISSED**',
      `${(Math.min(...cpuUs[at]!) / 1000).toFixed(0)}…${(Math.max(...cpuUs[at]!) / 1000).toFixed(0)} ms`,
    ];
  });
  const text = [
    '# What it costs to start the program',
    '',
    machineLine(date, { ...machine, node: version.stdout.toString().trim() }),
    '',
    `Made by \`npm run bench:start\`: CPU time (user and system) of one process from start to exit, median of ${rounds} rounds in turn.`,
    ...(machine.loadBefore > machine.cores
      ? ['The machine was busy with other work: times are longer than on an idle one, ratios less so.']
      : []),
    '',
    ...table(['command', 'CPU time', 'to `node -e 0`', 'goal', '', 'least…most'], rows),
    '',
  ].join('\n');
  console.log(text);
  writeFileWhole(join(values.out, 'start.md'), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** CPU time of one process, as it read it itself on exit. */
function measureCpuUs(args: readonly string[]): number {
  const { status, stderr } = spawnSync(values.node, ['--require', tell, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 30_000,
  });
  const said = /\ncpu (\d+)$/.exec(stderr);
  if (status !== 0 || said === null) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(said[1]);
}
