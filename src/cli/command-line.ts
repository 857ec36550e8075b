import yargs, { type Argv } from 'yargs';
import { ExitCode, Failure } from '../failure.js';
import { packageVersion } from '../version.js';
import { type Command, commands } from './commands.js';
import { describeStrayWords, refuseDashes } from './stray-words.js';
import { tell } from './tell.js';

/** Parses the command line, loads and runs the one command that it names, and returns the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.pass;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    refuseDashes(argv);
    const at = argv.findIndex((word) => commands.some(({ name }) => name === word));
    const command = commands.find(({ name }) => name === argv[at]);
    const parser = command === undefined ? overview(argv) : await only(command, argv.toSpliced(at, 1), done);
    await parser
      // What yargs says is read by the code below, and the rest of the help is in English, too.
      .detectLocale(false)
      .strict()
      .version(packageVersion())
      .help()
      .alias('h', 'help')
      .wrap(Math.min(110, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error, usage) => {
        // What yargs itself finds wrong, such as a flag without its value, is the user's mistake.
        if (error && error.name !== 'YError') throw error;
        if (argv.length === 0) usage.showHelp('error');
        const found = describeStrayWords(message, argv) ?? plainer(message, command?.name);
        throw new Failure(`${found} (see mcp-bench ${command ? `${command.name} ` : ''}--help)`);
      })
      .parseAsync();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const line of error.lines) tell(line);
    return error.exitCode;
  }
  return exitCode;
}

// Knows the commands by name alone: for the overall help, and for what is no command.
function overview(argv: readonly string[]): Argv {
  const parser = yargs([...argv]).usage('$0 <command>\n\nLoad and latency benchmark for MCP servers.');
  for (const { usage, describe } of commands) parser.command(usage, describe);
  return parser
    .scriptName('mcp-bench')
    .demandCommand(1, 'Say what to do: one of the commands above.')
    .recommendCommands();
}

// Knows one command, as the default: for any other, yargs renders the whole help before it waits for the handler.
async function only(command: Command, argv: readonly string[], done: (code: number) => void): Promise<Argv> {
  const { name, usage, describe, help = describe } = command;
  return yargs([...argv])
    .scriptName('mcp-bench')
    .usage(`$0 ${usage}\n\n${help}`)
    .command({ ...(await command.load(done)), command: usage.replace(name, '$0'), describe });
}

const needs: Readonly<Record<string, string>> = {
  run: 'a scenario: mcp-bench run scenarios/smoke.yaml',
  report: 'a result: mcp-bench report results/smoke-….json',
  compare: 'the results of both sides: mcp-bench compare BASE… --against HEAD…',
  history: 'the name of a scenario: mcp-bench history smoke',
  probe: 'a URL: mcp-bench probe http://127.0.0.1:3000/sse',
  init: 'a URL: mcp-bench init http://127.0.0.1:3000/sse',
  ceiling: 'a URL: mcp-bench ceiling http://127.0.0.1:3000/sse',
  versus: 'targets and a scenario: mcp-bench versus targets.yaml scenario.yaml',
};

// What yargs says, as a person would.
function plainer(message: string, command = ''): string {
  if (message.startsWith('Not enough non-option arguments'))
    return `${command} needs ${needs[command] ?? 'an argument'}`;
  return message.split('\n').join(' ');
}
