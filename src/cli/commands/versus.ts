import { basename, extname, join } from 'node:path';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { fewestRounds } from '../../compare/table-comparison.js';
import { ExitCode, Failure } from '../../failure.js';
import { htmlVersus } from '../../report/page/versus/versus-page.js';
import { versusMarkdown } from '../../report/versus/versus-markdown.js';
import { versusTerminal } from '../../report/versus/versus-terminal.js';
import { formatDuration, formatRate } from '../../result/units.js';
import { writeFileWhole, writeNewFile } from '../../result/write-file.js';
import type { ScenarioOverrides } from '../../scenario/apply-overrides.js';
import { planFrom } from '../../scenario/load-scenario.js';
import type { Plan } from '../../scenario/plan.js';
import { findScenario } from '../../scenario/stock-scenarios.js';
import { readYamlSource } from '../../scenario/yaml-source.js';
import { describeVersus } from '../../versus/describe-versus.js';
import { type Contestant, loadTargets } from '../../versus/load-targets.js';
import type { TargetRun } from '../../versus/run-target.js';
import { runVersus } from '../../versus/run-versus.js';
import type { VersusResult } from '../../versus/versus-result.js';
import { versusText } from '../../versus/versus-text.js';
import { type TransportFlags, transportFlags } from '../flags/transport-flags.js';
import { addStepSummary, inActions, printForActions } from '../actions.js';
import { wantsColour } from '../colour.js';
import { parseReportFiles, writeReportFiles } from '../reports/report-files.js';
import { watchRun } from '../runs/run-progress.js';
import { interruptible } from '../runs/interrupts.js';
import { tell } from '../tell.js';

interface Flags extends TransportFlags {
  targets: string;
  scenario: string;
  rounds: number;
  rerunDisturbed: number;
  only?: string[];
  sessions?: number;
  duration?: string;
  rate?: string;
  posts?: string;
  workers?: number;
  seed?: number;
  out?: string;
  report?: string[];
  dryRun: boolean;
  json: boolean;
  quiet: boolean;
  color?: boolean;
}

const kinds = ['html', 'md', 'json'] as const;

/** `mcp-bench versus`: several servers under the same load, in interleaved rounds, ranked. */
export function versusCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await versus(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  const text = { type: 'string', requiresArg: true } as const;
  const number = { type: 'number', requiresArg: true } as const;
  const list = { type: 'string', array: true, nargs: 1 } as const;
  return transportFlags(yargs)
    .positional('targets', { type: 'string', describe: 'YAML file of the servers, see below' })
    .positional('scenario', { type: 'string', describe: 'YAML file of the load, as for run' })
    .option('rounds', {
      ...number,
      default: 5,
      describe: `run every target this many times; ${fewestRounds} or more tell them apart`,
    })
    .option('rerun-disturbed', {
      ...number,
      default: 2,
      describe: 'repeat a suspect run at most so often; after that its target is not ranked',
    })
    .option('only', { ...list, describe: 'run only this target of the file (repeatable)' })
    .option('sessions', { ...number, describe: 'as for run' })
    .option('duration', { ...text, describe: 'as for run: of each single run' })
    .option('rate', { ...text, describe: 'as for run' })
    .option('posts', { ...text, describe: 'as for run' })
    .option('workers', { ...number, describe: 'as for run' })
    .option('seed', { ...number, describe: 'as for run' })
    .option('out', {
      ...text,
      describe: 'write the result to this file (default: results/versus-<name>-<time>.json)',
    })
    .option('report', { ...list, describe: `${kinds.join('|')}=FILE (repeatable)` })
    .option('dry-run', {
      type: 'boolean',
      default: false,
      describe: 'show targets, order and load, and start nothing',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'print the result as JSON instead of the tables',
    })
    .option('quiet', {
      type: 'boolean',
      default: false,
      alias: 'q',
      describe: 'print no progress and no tables, only write the files',
    })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 versus targets.yaml scenarios/steady.yaml', 'five rounds of each, in the terminal')
    .example('$0 versus targets.yaml my.yaml --rounds 8 --report html=versus.html', 'more rounds, and a page')
    .epilogue(epilogue);
}

const epilogue = `A file of targets:
  targets:
    - name: mine
      command: node server.mjs --port {port}  # for a shell; or a list
      url: http://127.0.0.1:{port}/sse        # a free port, also in $PORT
      cwd: ../mine                            # from this file’s folder
      env: { LOG: warn }                      # inheritEnv: false: no other
      ready: 60s                              # time to answer (default 30s)
    - name: piped                             # over stdio: a list, and no url
      command: [node, server.mjs, --stdio]
    - name: theirs
      url: https://mcp.example.com/sse        # runs already
      headers: { X-Api-Key: "{{env KEY}}" }   # token, tls, … as in a scenario
      calls:                                  # instead of the scenario’s
        - { tool: say, arguments: { text: hello } }
    - name: mock
      mock: { latency: 5ms }                  # true, or as for serve-mock

Every target is started anew for each of its runs, alone, and stopped with its whole process group. The order is balanced: nobody always follows the same one. CPU and memory are those of all its processes (Linux; unknown of what runs already). Two targets differ only where both Tukey's and Games and Howell's tests say so, at 5 % over all pairs of the table; others are tied. Where the load sets the pace they are ranked by p50, else by calls/s; a mix of tools is ranked by each of them, too.

A target that crashes, misses a threshold, fails more than 1 % of its calls, or has suspect runs only in a round is not ranked, but stays in the report with its reason; one that does not become ready, or refuses its stream with 401, 400 or the like, is not started again.

Exit codes: 0 ranked · 1 no target could be ranked · 2 bad usage · 130 interrupted (what is there is written)`;

async function versus(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const { rounds, rerunDisturbed } = given;
  if (!Number.isInteger(rerunDisturbed) || rerunDisturbed < 0 || rerunDisturbed > 100)
    throw new Failure(`--rerun-disturbed: expected a whole number from 0 to 100, found ${rerunDisturbed}.`);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1000)
    throw new Failure(`--rounds: expected a whole number from 1 to 1000, found ${rounds}.`);
  const reports = parseReportFiles(given.report, kinds);
  const { contestants, scenario } = load(given);
  if (given.dryRun) {
    printForActions(describeVersus(contestants, scenario, rounds));
    return ExitCode.pass;
  }
  const say = (line: string): void => {
    if (!given.quiet) tell(line);
  };
  if (rounds < fewestRounds)
    say(`${rounds} rounds are too few to tell any two targets apart; ${fewestRounds} or more would`);
  const result = await contest(contestants, scenario, given, say);
  const path = store(result, given.out);
  writeReportFiles(reports, {
    html: () => htmlVersus(result),
    md: () => versusMarkdown(result),
    json: () => versusText(result),
  });
  if (given.json) console.log(versusText(result).trimEnd());
  else if (!given.quiet)
    printForActions(
      versusTerminal(result, {
        colour: wantsColour(given.color),
        width: process.stdout.columns ?? 100,
        path,
      }),
    );
  if (inActions()) addStepSummary(versusMarkdown(result));
  if (result.ended === 'interrupted') return ExitCode.interrupted;
  return result.targets.every(({ reason }) => reason !== null) ? ExitCode.runFailed : ExitCode.pass;
}

function load(given: Flags): { contestants: Contestant[]; scenario: Plan } {
  const { transport, protocol, sessions, duration, rate, posts, workers, seed } = given;
  const overrides = Object.fromEntries(
    Object.entries({ transport, protocol, sessions, duration, rate, posts, workers, seed }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as ScenarioOverrides;
  const source = readYamlSource(findScenario(given.scenario));
  const name = basename(given.scenario, extname(given.scenario));
  const all = loadTargets(readYamlSource(given.targets), source, name, overrides);
  const unknown = given.only?.find((wanted) => !all.some((target) => target.name === wanted));
  if (unknown !== undefined)
    throw new Failure(
      `--only: ${given.targets} has no target "${unknown}": it has ${all.map((target) => target.name).join(', ')}.`,
    );
  return {
    contestants: all.filter((target) => given.only?.includes(target.name) ?? true),
    scenario: planFrom(source, name, overrides),
  };
}

async function contest(
  contestants: readonly Contestant[],
  scenario: Plan,
  given: Flags,
  say: (line: string) => void,
): Promise<VersusResult> {
  let finishDisplay = (): void => {};
  const tty = process.stderr.isTTY === true;
  try {
    return await interruptible((interrupts) =>
      runVersus(contestants, {
        rounds: given.rounds,
        rerun: given.rerunDisturbed,
        scenario,
        interrupted: () => interrupts.count > 0,
        onRun: ({ name, plan }, round) => {
          say(`round ${round} of ${given.rounds}: ${name}…`);
          const display =
            given.quiet || !tty
              ? null
              : watchRun(plan, { tty, colour: tty, width: process.stderr.columns ?? 100 });
          finishDisplay = () => display?.finish();
          return {
            ...display?.watcher,
            onWarning: (message) => say(`warning: ${message}`),
            onControls: interrupts.control,
          };
        },
        onRunEnd: ({ name }, run) => {
          finishDisplay();
          interrupts.control(null);
          say(runText(name, run));
        },
        onSkipped: ({ name }, round) => say(`round ${round}: ${name} is not started again`),
      }),
    );
  } finally {
    finishDisplay();
  }
}

function runText(name: string, { run }: TargetRun): string {
  if (run.state !== 'ok')
    return `${name}: ${run.state === 'suspect' ? 'suspect, so that it ranks nobody: ' : ''}${run.reason}`;
  const { callsPerSec, p50, p99 } = run.figures;
  return `${name}: ${formatRate(callsPerSec ?? NaN)} calls/s, p50 ${formatDuration(p50 ?? NaN)}, p99 ${formatDuration(p99 ?? NaN)}`;
}

function store(result: VersusResult, out: string | undefined): string {
  const text = versusText(result);
  if (out === undefined) return writeNewFile(names(result), text);
  writeFileWhole(out, text);
  return out;
}

function* names({ name, startedAt }: VersusResult): Generator<string> {
  const time = startedAt.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80);
  const stem = join('results', `versus-${safe}-${time}`);
  yield `${stem}.json`;
  for (let counter = 2; ; counter++) yield `${stem}-${counter}.json`;
}
