import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../src/result/write-file.js';
import { writeResult } from '../../src/result/write-result.js';
import { describeMachine, machineLine, table } from '../bench/bench-report.js';
import { median } from '../../src/compare/median.js';
import { longRun } from './long-run.js';

// `npm run bench:report`: what reports and comparisons of long runs cost, as a user starts them, beside a process that only reads the same files.
// Exit 1 where a goal is missed. `-- --seconds 600 --rate 1000 --tools 5 --rounds 5 --out results/bench`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '1000' },
    tools: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    out: { type: 'string', default: join('results', 'bench') },
  },
});
const size = { seconds: whole('seconds'), callsPerSec: whole('rate'), tools: whole('tools') };
const rounds = whole('rounds');
const runsASide = 5;
const goals = { seconds: 2, bytes: 300e6, fileBytes: 2e6 };

/** What one process took, from its start to its end. */
interface Cost {
  readonly seconds: number;
  /** Largest resident memory, as the kernel saw it. */
  readonly bytes: number;
}

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-reports-'));
const machine = describeMachine();
const date = new Date().toISOString();
let missed = false;
try {
  const fileBytes = storeRuns();
  const costs = await measureAll();
  const text = report(costs, fileBytes);
  console.log(text);
  writeFileWhole(join(values.out, 'report.md'), text);
  writeFileWhole(
    join(values.out, 'report.json'),
    `${JSON.stringify({ date, machine, size, rounds, fileBytes, costs: Object.fromEntries(costs) }, null, 2)}\n`,
  );
  process.exitCode = missed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Ten runs, five a side, the second side a tenth slower; returns the largest file's size. */
function storeRuns(): number {
  const sizes = Array.from({ length: 2 * runsASide }, (_, at) => {
    const head = at % 2 === 1;
    const result = longRun({ ...size, seed: at + 1, slower: head ? 1.1 : 1 });
    const path = join(folder, head ? 'head' : 'base', `run-${at}.json`);
    mkdirSync(join(folder, 'all'), { recursive: true });
    writeResult(result, { path });
    writeResult(result, { path: join(folder, 'all', `run-${at}.json`) });
    console.log(`run ${at + 1} of ${2 * runsASide}: ${statSync(path).size} bytes`);
    return statSync(path).size;
  });
  return Math.max(...sizes);
}

async function measureAll(): Promise<Map<string, Cost[]>> {
  const reader =
    'for (const name of fs.readdirSync("all")) JSON.parse(fs.readFileSync("all/" + name, "utf8"))';
  const reports = (kinds: string[]): string[] =>
    kinds.flatMap((kind) => ['--report', `${kind}=out/report.${kind}`]);
  const comparison = reports(['html', 'md', 'junit', 'json']);
  const commands: [string, string[], number[]][] = [
    ['reads the ten files and no more', ['-e', reader], [0]],
    ['compare, 5 runs against 5', [main, 'compare', 'base', '--against', 'head'], [4]],
    [
      'compare, 5 runs against 5, with html, md, junit, json',
      [main, 'compare', 'base', '--against', 'head', ...comparison],
      [4],
    ],
    [
      'compare, one run against one (block bootstrap)',
      [main, 'compare', 'base/run-0.json', '--against', 'head/run-1.json'],
      [0],
    ],
    ['history of ten runs, with html', [main, 'history', 'long', '--in', 'all', ...reports(['html'])], [0]],
    ['report of one run', [main, 'report', 'base/run-0.json'], [0]],
    [
      'report of one run: html, md, junit, csv, json, hlog, prom',
      [main, 'report', 'base/run-0.json', ...reports(['html', 'md', 'junit', 'csv', 'json', 'hlog', 'prom'])],
      [0],
    ],
  ];
  const costs = new Map<string, Cost[]>(commands.map(([name]) => [name, []]));
  for (let round = 1; round <= rounds; round++)
    for (const [name, args, codes] of commands) costs.get(name)!.push(await cost(args, codes));
  return costs;
}

/** Runs a program to its end; throws where it ends otherwise than expected. */
async function cost(args: readonly string[], codes: readonly number[]): Promise<Cost> {
  const tell =
    'data:text/javascript,process.on("exit",()=>process.stderr.write("\\npeak "+process.resourceUsage().maxRSS))';
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', tell, ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GITHUB_ACTIONS: '' },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const seconds = (performance.now() - start) / 1000;
  const peak = /\npeak (\d+)$/.exec(said);
  if (peak === null || !codes.includes(code ?? -1))
    throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  return { seconds, bytes: Number(peak[1]) * 1024 };
}

function report(costs: Map<string, Cost[]>, fileBytes: number): string {
  const readOnly = middle([...costs.values()][0]!, 'seconds');
  const rows = [...costs].map(([name, list], at) => {
    const [seconds, bytes] = [middle(list, 'seconds'), Math.max(...list.map((one) => one.bytes))];
    const met = seconds < goals.seconds && bytes < goals.bytes;
    if (at > 0 && !met) missed = true;
    return [
      name,
      `${seconds.toFixed(2)} s`,
      `${(seconds / readOnly).toFixed(1)} ×`,
      `${Math.round(bytes / 1e6)} MB`,
      at === 0 ? '' : met ? 'met' : '**MISSED**',
      list.map((one) => one.seconds.toFixed(2)).join(' '),
    ];
  });
  if (fileBytes >= goals.fileBytes) missed = true;
  return [
    '# Reports and comparisons of long runs',
    '',
    machineLine(date, machine),
    '',
    `Made by \`npm run bench:report\`: ten runs of ${size.seconds} s, ${size.tools} tools and ${size.callsPerSec} calls/s, drawn at random, recorded and put together by the recorder, collector and assembler that real runs go through. Each command runs in a process of its own, from start to end; time is the median of ${rounds} rounds, memory the largest resident set of all. Goal: under ${goals.seconds} s and ${goals.bytes / 1e6} MB.`,
    '',
    `Largest result file: ${(fileBytes / 1e6).toFixed(2)} MB (goal: under ${goals.fileBytes / 1e6} MB${fileBytes < goals.fileBytes ? ', met' : ', **MISSED**'}).`,
    '',
    ...table(['command', 'time', 'to reading alone', 'memory', 'goal', 'every round, s'], rows),
    '',
  ].join('\n');
}

function middle(costs: readonly Cost[], key: keyof Cost): number {
  return median(costs.map((one) => one[key]));
}

function whole(name: 'seconds' | 'rate' | 'tools' | 'rounds'): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name}: expected a whole number from 1 on, found "${values[name]}"`);
  return value;
}
