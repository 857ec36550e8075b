import { ExitCode, Failure } from '../failure.js';
import { commands } from './commands.js';
import { readPlainLine } from './flags/read-plain-line.js';
import { refuseDashes } from './stray-words.js';
import { tell } from './tell.js';
import type { NamedCommand } from './yargs-line.js';

/** Loads and runs the one command that the command line names, and returns the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.pass;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    refuseDashes(argv);
    const at = argv.findIndex((word) => commands.some(({ name }) => name === word));
    const command = commands.find(({ name }) => name === argv[at]);
    if (command === undefined) await answer(argv, null);
    else {
      const code = await command.load(done);
      const words = argv.toSpliced(at, 1);
      const given = readPlainLine(command.usage, code.builder, words);
      if (given === null) await answer(argv, { command, code, words });
      else await code.handler(given);
    }
  } catch (thrown) {
    const error = thrown instanceof Failure ? thrown : await blame(thrown);
    for (const line of error.lines) tell(line);
    return error.exitCode;
  }
  return exitCode;
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
