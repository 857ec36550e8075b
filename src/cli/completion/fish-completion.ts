import type { CompletableCommand, CompletableFlag } from './completable.js';

/** A script for fish: `mcp-bench completion fish | source`. */
export function fishCompletion(commands: readonly CompletableCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const none = `not __fish_seen_subcommand_from ${names}`;
  return [
    '# fish completion of mcp-bench: mcp-bench completion fish | source',
    'complete -c mcp-bench -f',
    `complete -c mcp-bench -n ${quoted(none)} -l help -d 'show help'`,
    `complete -c mcp-bench -n ${quoted(none)} -l version -d 'show the version'`,
    ...commands.flatMap((command) => [
      `complete -c mcp-bench -n ${quoted(none)} -a ${command.name} -d ${quoted(command.describe)}`,
      ...lines(command),
    ]),
    '',
  ].join('\n');
}

function lines({ name, words, takesFiles, flags }: CompletableCommand): string[] {
  const when = `complete -c mcp-bench -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    ...(words.length === 0 ? [] : [`${when} -a ${quoted(words.join(' '))}`]),
    ...(takesFiles ? [`${when} -F`] : []),
    ...flags.map((flag) => `${when} ${flagText(flag)}`),
  ];
}

function flagText({ name, describe, takesValue, values }: CompletableFlag): string {
  const value = !takesValue ? '' : values === null ? ' -r -F' : ` -x -a ${quoted(values.join(' '))}`;
  return `-l ${name.slice(2)}${value} -d ${quoted(describe)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
