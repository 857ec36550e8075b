import { didYouMean } from '../scenario/did-you-mean.js';
import { commands } from './commands.js';
import { DeclaredFlags } from './flags/declared-flags.js';
import type { NamedCommand } from './yargs-line.js';

/** What is wrong with the name of a command or of a flag, or with a word that is none of a few, given yargs' complaint; null where that is about something else. */
export function describeMistake(
  message: string,
  argv: readonly string[],
  named: Pick<NamedCommand, 'command' | 'code'> | null,
): string | null {
  const [, flag, given, choices] =
    /Argument: ([\w-]+), Given: "(.*)", Choices: (.+)$/s.exec(message.trim()) ?? [];
  if (flag !== undefined) {
    const words = choices!.split(', ').map((each) => each.replace(/^"|"$/g, ''));
    return `--${flag}: expected one of ${words.join(', ')}, found "${given}"${didYouMean(given!, words)}`;
  }
  const [, listed] = /^Unknown (?:argument|command)s?: (.+)$/s.exec(message) ?? [];
  if (listed === undefined) return null;
  const unknown = listed.split(', ');
  if (named === null) {
    const word = argv.find((each) => !each.startsWith('-'));
    if (word === undefined) return null;
    const names = commands.map(({ name }) => name);
    return `there is no command "${word}"${didYouMean(word, names)}`;
  }
  const flags = [...new DeclaredFlags(named.code.builder).options.keys()].map((each) => `--${each}`);
  const wrong = argv
    .filter((word) => word.startsWith('--'))
    .map((word) => word.split('=')[0]!)
    .filter((word) => unknown.includes(word.replace(/^--(no-)?/, '')) || unknown.includes(word.slice(2)));
  if (wrong.length === 0) return null;
  return wrong
    .map((word) => `${named.command.name} has no flag ${word}${didYouMean(word, flags)}`)
    .join('; ');
}
