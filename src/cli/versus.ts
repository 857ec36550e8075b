import { basename, extname, join } from 'node:path';
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { ExitCode, Failure } from '../failure.js';
import { versusMarkdown } from '../report/versus-markdown.js';
import { versusTerminal } from '../report/versus-terminal.js';
import { formatDuration, formatRate } from '../result/units.js';
import { writeFileWhole, writeNewFile } from '../result/write-file.js';
import { writeResult } from '../result/write-result.js';
import { readYamlSource } from '../scenario/yaml-source.js';
import { loadTargets } from '../versus/load-targets.js';
import type { TargetRun } from '../versus/run-target.js';
import { type Contestant, runVersus } from '../versus/run-versus.js';
import { planTarget } from '../versus/target-plan.js';
import { versusText } from '../versus/versus-text.js';
import type { VersusResult } from '../versus/versus-result.js';
import { wantsColour } from './colour.js';
import { watchRun } from './run-progress.js';

interface Flags {
  targets: string;
  scenario: string;
  rounds: number;
  only?: string[];
  sessions?: number;
  duration?: string;
  rate?: string;
  workers?: number;
  out: string;
  name?: string;
  keepRuns: boolean;
  quiet: boolean;
  color?: boolean;
}

/** `mcp-bench versus`: several servers under the same load, in interleaved rounds, ranked. */
export function versusCommand(done: (exitCode: number) => void): CommandModule<object, Flags> {
  return {
    command: 'versus <targets> <scenario>',
    describe: 'Run several servers against each other in interleaved rounds, and rank them with intervals',
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await run(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .positional('targets', { type: 'string', describe: 'YAML file of the servers: name, command or url, …' })
    .positional('scenario', { type: 'string', describe: 'YAML file of the load' })
    .option('rounds', {
      type: 'number',
      default: 5,
      requiresArg: true,
      describe: 'runs of every target; 4 or more tell them apart',
    })
    .option('only', { type: 'string', array: true, describe: 'only these targets of the file' })
    .option('sessions', {
      type: 'number',
      requiresArg: true,
      describe: 'number of sessions, instead of the scenario’s',
    })
    .option('duration', {
      type: 'string',
      requiresArg: true,
      describe: 'length of all timed phases together, e.g. 10s',
    })
    .option('rate', {
      type: 'string',
      requiresArg: true,
      describe: 'highest rate of the paced phases, e.g. 500/s',
    })
    .option('workers', { type: 'number', requiresArg: true, describe: 'worker threads (default: cores − 1)' })
    .option('out', {
      type: 'string',
      default: join('results', 'versus'),
      requiresArg: true,
      describe: 'folder for <name>-<time>.json, .md and .html',
    })
    .option('name', {
      type: 'string',
      requiresArg: true,
      describe: 'name of these files (default: the scenario’s)',
    })
    .option('keep-runs', {
      type: 'boolean',
      default: false,
      describe: 'keep the result of every single run, too',
    })
    .option('quiet', {
      type: 'boolean',
      default: false,
      alias: 'q',
      describe: 'no progress and no table, only the files',
    })
    .option('color', {
      type: 'boolean',
      describe: 'colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 versus targets.yaml scenarios/steady.yaml --rounds 5', '')
    .epilogue(
      'Every target is started anew for every run, and stopped after it. One that crashes or fails its checks stays in the report with its reason.\n' +
        'Exit codes: 0 ranked · 1 no target could be ranked · 2 bad usage · 130 interrupted',
    );
}

async function run(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const { rounds } = given;
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1000)
    throw new Failure(`--rounds: expected a whole number from 1 to 1000, found ${rounds}`);
  const contestants = readContestants(given);
  if (rounds < 4 && !given.quiet)
    console.error(`mcp-bench: ${rounds} rounds are too few to tell targets apart; 4 or more would`);
  const result = await contest(contestants, given);
  const path = store(result, given);
  if (!given.quiet) {
    const colour = wantsColour(given.color);
    console.log(versusTerminal(result, { colour, width: process.stdout.columns ?? 110, path }));
  }
  if (result.ended === 'interrupted') return ExitCode.interrupted;
  return result.targets.every(({ reason }) => reason !== null) ? ExitCode.runFailed : ExitCode.pass;
}

function readContestants(given: Flags): Contestant[] {
  const all = loadTargets(given.targets).targets;
  for (const name of given.only ?? [])
    if (!all.some((target) => target.name === name))
      throw new Failure(
        `--only ${name}: ${given.targets} has no such target (it has: ${all.map((target) => target.name).join(', ')})`,
      );
  const targets = all.filter(({ name }) => given.only === undefined || given.only.includes(name));
  const source = readYamlSource(given.scenario);
  const { sessions, duration, rate, workers } = given;
  const overrides = Object.fromEntries(
    Object.entries({ sessions, duration, rate, workers }).filter(([, value]) => value !== undefined),
  );
  const name = given.name ?? basename(given.scenario, extname(given.scenario));
  return targets.map((target) => ({ target, ...planTarget(source, target, name, overrides) }));
}

async function contest(contestants: readonly Contestant[], given: Flags): Promise<VersusResult> {
  let controls: { stop(): void; abort(): void } | null = null;
  let interrupts = 0;
  let finishDisplay = (): void => {};
  const tty = process.stderr.isTTY === true;
  const onSignal = (): void => {
    interrupts++;
    if (interrupts === 1) controls?.stop();
    else controls?.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await runVersus(contestants, {
      rounds: given.rounds,
      onRun: (target, round, { plan }) => {
        if (given.quiet) return {};
        console.error(`mcp-bench: round ${round} of ${given.rounds}: ${target}…`);
        if (!tty) return {};
        const display = watchRun(plan, { tty, colour: tty, width: process.stderr.columns ?? 100 });
        finishDisplay = () => display.finish();
        return display.watcher;
      },
      onRunDone: (target, round, done) => {
        finishDisplay();
        finishDisplay = () => {};
        controls = null;
        if (!given.quiet) console.error(`mcp-bench: ${doneText(target, done)}`);
        return keep(target, round, done, given);
      },
      onControls: (handed) => {
        controls = handed;
        if (interrupts > 0) handed.stop();
      },
      shouldStop: () => interrupts > 0,
    });
  } finally {
    finishDisplay();
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

function doneText(target: string, { run }: TargetRun): string {
  if (run.reason !== null) return `${target}: ${run.reason}`;
  const { callsPerSec, p50, p99 } = run.figures;
  const doubt = run.doubts.length > 0 ? ', suspect' : '';
  return `${target}: ${formatRate(callsPerSec ?? NaN)} calls/s, p50 ${formatDuration(p50 ?? NaN)}, p99 ${formatDuration(p99 ?? NaN)}${doubt}`;
}

function keep(target: string, round: number, { result }: TargetRun, given: Flags): string | undefined {
  if (!given.keepRuns || result === null) return undefined;
  return writeResult(
    { ...result, name: `${result.name}-${target}-round${round}` },
    { folder: join(given.out, 'runs') },
  );
}

// The three files have one name, which no earlier contest has.
function store(result: VersusResult, given: Flags): string {
  const time = result.startedAt.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const stem = `${(given.name ?? result.name).replace(/[^A-Za-z0-9._-]+/g, '-') || 'versus'}-${time}`;
  const path = writeNewFile(names(join(given.out, stem)), versusText(result));
  writeFileWhole(path.replace(/json$/, 'md'), versusMarkdown(result));
  return path;
}

function* names(stem: string): Generator<string> {
  yield `${stem}.json`;
  for (let counter = 2; ; counter++) yield `${stem}-${counter}.json`;
}
