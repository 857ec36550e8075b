import type { Given } from './flags/read-plain-line.js';
import type { Argv } from 'yargs';

type Done = (exitCode: number) => void;
/** The code of any command; the types of its flags are its own business. */
export interface AnyCode {
  builder(yargs: Argv<object>): Argv<object>;
  handler(given: Given): void | Promise<void>;
}

/** A command as the overall help shows it, and how to load its code. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly describe: string;
  /** What its own help says instead. */
  readonly help?: string;
  /** It takes the command of a server after `--`, in place of a URL where it wants one. */
  readonly startsServer?: true;
  load(done: Done): Promise<AnyCode>;
}

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: 'run',
    usage: 'run [scenario]',
    startsServer: true,
    describe: 'Run a scenario, or calls of one tool, against a server or the built-in mock',
    load: async (done) => code((await import('./commands/run.js')).runCommand(done)),
  },
  {
    name: 'scenarios',
    usage: 'scenarios [name]',
    describe: 'List the stock scenarios and the question that each answers, or copy one',
    load: async (done) => code((await import('./commands/scenarios.js')).scenariosCommand(done)),
  },
  {
    name: 'report',
    usage: 'report <result>',
    describe: 'Report a stored result again: on the terminal, or in another format',
    load: async (done) => code((await import('./commands/report.js')).reportCommand(done)),
  },
  {
    name: 'compare',
    usage: 'compare <base..>',
    describe: 'Compare stored results: did it get slower?',
    load: async (done) => code((await import('./commands/compare.js')).compareCommand(done)),
  },
  {
    name: 'history',
    usage: 'history <name>',
    describe: 'Show how stored results of a scenario changed over time',
    load: async (done) => code((await import('./commands/history.js')).historyCommand(done)),
  },
  {
    name: 'calibrate',
    usage: 'calibrate [scenario]',
    startsServer: true,
    describe: "Measure this machine's noise between runs, and the generator's ceiling",
    load: async (done) => code((await import('./commands/calibrate.js')).calibrateCommand(done)),
  },
  {
    name: 'serve-mock',
    usage: 'serve-mock',
    describe: 'Run the mock MCP server: every dialect, exact, fast, and as faulty as you like',
    help: 'Runs the mock MCP server until Ctrl-C or SIGTERM, then prints what it counted.',
    load: async (done) => code((await import('./commands/serve-mock.js')).serveMockCommand(done)),
  },
  {
    name: 'probe',
    usage: 'probe <url>',
    startsServer: true,
    describe:
      'Find out what a server speaks, what it can do, how fast it answers and where it departs from the protocol',
    load: async (done) => code((await import('./commands/probe.js')).probeCommand(done)),
  },
  {
    name: 'init',
    usage: 'init <url>',
    startsServer: true,
    describe: "Write a scenario from a server's own tools, ready to run",
    load: async (done) => code((await import('./commands/init.js')).initCommand(done)),
  },
  {
    name: 'versus',
    usage: 'versus <targets> <scenario>',
    describe: 'Run several servers against each other in interleaved rounds, and rank them with intervals',
    load: async (done) => code((await import('./commands/versus.js')).versusCommand(done)),
  },
  {
    name: 'ceiling',
    usage: 'ceiling <url>',
    describe:
      'Compare how many bare POSTs a server accepts with how many calls it answers, to see where its limit lies',
    load: async (done) => code((await import('./commands/ceiling.js')).ceilingCommand(done)),
  },
  {
    name: 'completion',
    usage: 'completion <shell>',
    describe: 'Print a script that completes command lines in bash, zsh or fish',
    load: async (done) => code((await import('./commands/completion.js')).completionCommand(done)),
  },
];

function code(loaded: object): AnyCode {
  return loaded as AnyCode;
}
