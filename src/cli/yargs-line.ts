import yargs, { type Argv, type CommandModule } from 'yargs';
import { Failure } from '../failure.js';
import { packageVersion } from '../version.js';
import { type AnyCode, type Command, commands } from './commands.js';
import { describeMistake } from './describe-mistake.js';
import { describeStrayWords } from './stray-words.js';

/** A command that was named, with its code, and the words beside its name. */
export interface NamedCommand {
  readonly command: Command;
  readonly code: AnyCode;
  readonly words: readonly string[];
}

/** Has yargs answer a command line: with help, with what is wrong about it, or by running the command that it names. */
export async function answerWithYargs(argv: readonly string[], named: NamedCommand | null): Promise<void> {
  const parser = named === null ? overview(argv) : only(named);
  const name = named?.command.name;
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
      const found =
        describeMistake(message, argv, named) ?? describeStrayWords(message, argv) ?? plainer(message, name);
      throw new Failure(`${found} (see mcp-bench ${name ? `${name} ` : ''}--help)`);
    })
    .parseAsync();
}

// Knows the commands by name alone: for the overall help, and for what is no command.
function overview(argv: readonly string[]): Argv {
  const parser = yargs([...argv])
    .usage('$0 <command>\n\nLoad and latency benchmark for MCP servers.')
    .example(
      '$0 http://127.0.0.1:3000/mcp',
      'a first look at a server: five seconds of its cheapest safe tool',
    )
    .example('$0 run smoke', 'a stock scenario against the built-in mock');
  for (const { usage, describe } of commands) parser.command(usage, describe);
  return parser.scriptName('mcp-bench').demandCommand(1, 'Say what to do: one of the commands above.');
}

// Knows one command, as the default: for any other, yargs renders the whole help before it waits for the handler.
function only({
  command: { name, usage, describe, help = describe, startsServer },
  code,
  words,
}: NamedCommand): Argv {
  return yargs([...words])
    .scriptName('mcp-bench')
    .usage(`$0 ${usage}${startsServer ? ' [-- program arguments…]' : ''}\n\n${help}`)
    .command({ ...(code as CommandModule), command: usage.replace(name, '$0'), describe });
}

const needs: Readonly<Record<string, string>> = {
  report: 'a result: mcp-bench report results/smoke-….json',
  compare: 'the results of both sides: mcp-bench compare BASE… --against HEAD…',
  history: 'the name of a scenario: mcp-bench history smoke',
  probe: 'a URL: mcp-bench probe http://127.0.0.1:3000/sse',
  init: 'a URL: mcp-bench init http://127.0.0.1:3000/sse',
  ceiling: 'a URL: mcp-bench ceiling http://127.0.0.1:3000/sse',
  completion: 'a shell: mcp-bench completion bash',
  versus: 'targets and a scenario: mcp-bench versus targets.yaml steady',
};

// What yargs says, as a person would.
function plainer(message: string, command = ''): string {
  if (message.startsWith('Not enough non-option arguments'))
    return `${command} needs ${needs[command] ?? 'an argument'}`;
  return message.split('\n').join(' ');
}
