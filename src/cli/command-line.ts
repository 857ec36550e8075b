import { ExitCode, Failure } from '../failure.js';
import { type AnyCode, commands } from './commands.js';
import { readPlainLine } from './flags/read-plain-line.js';
import { splitDashes } from './stray-words.js';
import { tell } from './tell.js';
import type { NamedCommand } from './yargs-line.js';

const serverStarters = commands.filter(({ startsServer }) => startsServer).map(({ name }) => name);

/** Loads and runs the one command that the command line names, and returns the exit code. */
export async function runCommandLine(given: readonly string[]): Promise<number> {
  const argv = namingRun(given);
  let exitCode: number = ExitCode.pass;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    const { words: line, server } = splitDashes(argv, serverStarters);
    const at = line.findIndex((word) => commands.some(({ name }) => name === word));
    const found = commands.find(({ name }) => name === line[at]);
    if (found === undefined) await answer(line, null);
    else {
      const command = server === null ? found : { ...found, usage: found.usage.replace(' <url>', '') };
      const code = withServer(await command.load(done), server);
      const words = line.toSpliced(at, 1);
      const given = readPlainLine(command.usage, code.builder, words);
      if (given === null) await answer(line, { command, code, words });
      else await code.handler(given);
    }
  } catch (thrown) {
    const error = thrown instanceof Failure ? thrown : await blame(thrown);
    for (const line of error.lines) tell(line);
    return error.exitCode;
  }
  return exitCode;
}

// The command of the server is no word of ours: nothing of it is read as a flag.
function withServer(code: AnyCode, server: readonly string[] | null): AnyCode {
  if (server === null) return code;
  return { ...code, handler: (given) => code.handler({ ...given, server }) };
}

/** A URL in the place of a command is a server to look at. */
function namingRun(argv: readonly string[]): readonly string[] {
  return /^https?:\/\//i.test(argv[0] ?? '') ? ['run', '--target', ...argv] : argv;
}

/** What failed over a damaged file is the file's fault; anything else is a bug, and thrown again. */
async function blame(bug: unknown): Promise<Failure> {
  const { resultsRead } = await import('../result/read-result.js');
  if (resultsRead().length === 0) throw bug;
  const damage = (await import('../result/damaged-result.js')).damagedResult();
  if (damage === null) throw bug;
  return damage;
}

async function answer(argv: readonly string[], named: NamedCommand | null): Promise<void> {
  await (await import('./yargs-line.js')).answerWithYargs(argv, named);
}
