import type { ArgumentsCamelCase, Argv } from 'yargs';
import { ExitCode, Failure } from '../../failure.js';
import { didYouMean } from '../../scenario/did-you-mean.js';
import type { CommandCode } from '../command-code.js';
import { bashCompletion } from '../completion/bash-completion.js';
import { completable } from '../completion/completable.js';
import { fishCompletion } from '../completion/fish-completion.js';
import { zshCompletion } from '../completion/zsh-completion.js';
import { writeReportFile } from '../reports/report-files.js';

interface Flags {
  shell: string;
}

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `mcp-bench completion`: a script that makes a shell complete our command lines. */
export function completionCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await print(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .positional('shell', { type: 'string', describe: 'bash, zsh or fish' })
    .example('source <($0 completion bash)', 'in ~/.bashrc')
    .example('source <($0 completion zsh)', 'in ~/.zshrc, after compinit')
    .example('$0 completion fish | source', 'in ~/.config/fish/config.fish');
}

async function print({ shell }: ArgumentsCamelCase<Flags>): Promise<ExitCode> {
  const names = Object.keys(shells) as (keyof typeof shells)[];
  const name = names.find((each) => each === shell);
  if (name === undefined)
    throw new Failure(
      `completion: expected one of ${names.join(', ')}, found "${shell}"${didYouMean(shell, names)}`,
    );
  writeReportFile('-', shells[name](await completable()));
  return ExitCode.pass;
}
