import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './child-program.js';
import type { GeneratorFigures } from './clients/generator.js';
import type { LineLoopFigures } from './clients/line-loop.js';
import type { WindowFigures } from './clients/measured-window.js';
import type { ProcessHolderFigures } from './clients/process-holder.js';
import { type GeneratorLoad, scenarioOf } from './generator-under-test.js';
import type { BenchOptions } from './options.js';
import { measurePart, type Part } from './part.js';
import type { Figures, RowSpec } from './rounds.js';

// As many as the other parts have over all their sessions.
const inFlight = 400;
const many = 200;
const warmupSeconds = 1;
const mostSeconds = 3;
const limitMs = 120_000;
const again = ', again';
const server = fileURLToPath(new URL('./servers/echo-lines.js', import.meta.url));

/** One process of a bare server, pipelined and with a lone call, against bare loops and the official SDK's client; then 200 processes. */
export async function generatorStdioPart(options: BenchOptions): Promise<Part> {
  const seconds = Math.min(options.seconds, mostSeconds);
  const timing = { warmupSeconds, seconds };
  const command = [process.execPath, server];
  const generator = (sessions: number, calls: number): Promise<GeneratorFigures> =>
    runGenerator(command, { sessions, inFlight: calls, posts: 'serial', workers: 1, ...timing });
  const own = (name: string) => async (): Promise<Figures> => {
    const { callsPerSec, cpuUsEach } = await generator(1, inFlight);
    return { [`${name}: /s`]: callsPerSec, [`${name}: CPU µs each`]: cpuUsEach };
  };
  const lone = (name: string) => async (): Promise<Figures> => {
    const { serviceP50Ns } = await generator(1, 1);
    return { [`${name}: p50 µs`]: serviceP50Ns / 1e3 };
  };
  const loop = async (calls: number, matches: boolean): Promise<LineLoopFigures> =>
    runProgram<LineLoopFigures>(
      'clients/line-loop',
      { command, inFlight: calls, matches, ...timing },
      limitMs,
    );
  const sdk = async (): Promise<Figures> => {
    const told = { url: '', command, transport: 'stdio', sessions: 1, inFlight, ...timing };
    const figures = await runProgram<WindowFigures>('clients/sdk-client', told, limitMs);
    return { 'SDK loop: /s': figures.perSec };
  };
  const fleet = async (): Promise<Figures> => {
    const first = (await generator(1, 1)).residentBytes.open;
    const { sessionsReady, openedMs, residentBytes } = await generator(many, 1);
    return {
      'processes: ready': sessionsReady,
      'processes: left': processesOf(server),
      'processes: opened ms': openedMs,
      'processes: KB each': (residentBytes.open - first) / 1024 / (many - 1),
    };
  };
  const holder = async (): Promise<Figures> => {
    const told = { command, processes: many };
    const { readyMs, residentBytes } = await runProgram<ProcessHolderFigures>(
      'clients/process-holder',
      told,
      limitMs,
    );
    return {
      'spawn loop: opened ms': readyMs,
      'spawn loop: KB each': (residentBytes.open - residentBytes.first) / 1024 / (many - 1),
    };
  };
  const bare = (name: string, matches: boolean) => async (): Promise<Figures> => {
    const { perSec, cpuUsEach } = await loop(inFlight, matches);
    return { [`${name}: /s`]: perSec, [`${name}: CPU µs each`]: cpuUsEach };
  };
  // What is compared stands side by side: the machine's own speed changes within minutes.
  const contestants = [
    { name: 'SDK loop', run: sdk },
    { name: 'stdio', run: own('stdio') },
    { name: 'bare loop', run: bare('bare loop', true) },
    { name: 'blind loop', run: bare('blind loop', false) },
    { name: `stdio${again}`, run: own(`stdio${again}`) },
    { name: 'lone call', run: lone('lone call') },
    {
      name: 'bare loop, lone',
      run: async () => ({ 'bare loop, lone: p50 µs': (await loop(1, false)).p50Ns / 1e3 }),
    },
    { name: `lone call${again}`, run: lone(`lone call${again}`) },
    { name: `${many} processes`, run: fleet },
    { name: `spawn loop of ${many}`, run: holder },
  ];
  return measurePart(contestants, options.rounds, rows);
}

/** Throws unless every call was answered. */
async function runGenerator(command: readonly string[], load: GeneratorLoad): Promise<GeneratorFigures> {
  const scenario = { ...scenarioOf(load), target: { command: [...command] } };
  const figures = await runProgram<GeneratorFigures>('clients/generator', { scenario }, limitMs);
  if (figures.ok !== figures.sent)
    throw new Error(
      `of ${figures.sent} calls ${figures.ok} were answered: ${JSON.stringify(figures.examples)}`,
    );
  return figures;
}

function processesOf(program: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')[1] === program;
    } catch {
      return false;
    }
  }).length;
}

const rows: readonly RowSpec[] = [
  {
    title: `stdio, 1 process × ${inFlight} in flight: calls/s ÷ a bare loop over the same pipes`,
    of: (round) => round['stdio: /s']! / round['bare loop: /s']!,
    aa: (round) => round[`stdio${again}: /s`]! / round['stdio: /s']!,
    goal: { is: 'at least', limit: 0.8 },
    note: 'the loop numbers its requests, parses each answer and times it, and nothing else',
  },
  {
    title: 'stdio: calls/s ÷ the same loop where it writes one text again and again and looks at no answer',
    of: (round) => round['stdio: /s']! / round['blind loop: /s']!,
    aa: (round) => round[`stdio${again}: /s`]! / round['stdio: /s']!,
  },
  {
    title: 'stdio: calls/s ÷ a loop around the official SDK client',
    of: (round) => round['stdio: /s']! / round['SDK loop: /s']!,
    aa: (round) => round[`stdio${again}: /s`]! / round['stdio: /s']!,
    goal: { is: 'at least', limit: 10 },
  },
  {
    title: 'stdio, 1 in flight: p50 of call.service ÷ the bare loop’s',
    of: (round) => round['lone call: p50 µs']! / round['bare loop, lone: p50 µs']!,
    aa: (round) => round[`lone call${again}: p50 µs`]! / round['lone call: p50 µs']!,
    goal: { is: 'at most', limit: 1.2 },
  },
  {
    title: `stdio, ${many} processes: not ready`,
    of: (round) => many - round['processes: ready']!,
    unit: '',
    goal: { is: 'exactly', limit: 0 },
    counts: 'largest',
  },
  {
    title: `stdio, ${many} processes: left after the run`,
    of: (round) => round['processes: left']!,
    unit: '',
    goal: { is: 'exactly', limit: 0 },
    counts: 'largest',
  },
  {
    title: `stdio, ${many} processes: memory of the generator per session above a loop of spawn`,
    of: (round) => round['processes: KB each']! - round['spawn loop: KB each']!,
    unit: 'KB',
    goal: { is: 'at most', limit: 40 },
    note: 'growth from one session to all of them, open and idle',
  },
];
