import type { CompletableCommand, CompletableFlag } from './completable.js';

/** A script for zsh: `source <(mcp-bench completion zsh)`, or a file `_mcp-bench` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletableCommand[]): string {
  return `#compdef mcp-bench
# zsh completion of mcp-bench: source <(mcp-bench completion zsh)
_mcp_bench() {
  local -a commands
  local command= word
  commands=(
${commands.map(({ name, describe }) => `    ${quoted(`${name}:${describe}`)}`).join('\n')}
  )
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( \${commands[(I)$word:*]} )); then command=$word; break; fi
  done
  case $command in
    '') _describe -t commands 'command' commands ;;
${commands.map(commandText).join('\n')}
  esac
}
if [[ $funcstack[1] == _mcp_bench || $funcstack[1] == _mcp-bench ]]; then _mcp_bench "$@"; else compdef _mcp_bench mcp-bench; fi
`;
}

function commandText({ name, flags, words, takesFiles }: CompletableCommand): string {
  const rest =
    words.length > 0 && takesFiles
      ? `*:argument:{ compadd -- ${words.join(' ')}; _files }`
      : words.length > 0
        ? `*:argument:(${words.join(' ')})`
        : takesFiles
          ? '*:file:_files'
          : null;
  const specs = ['*:command:', ...flags.map(flagText), ...(rest === null ? [] : [rest])].slice(1);
  // The name of the command is one of the words that _arguments would count.
  return `    ${name}) words[(i)$command]=(); (( CURRENT-- )); _arguments ${specs.map(quoted).join(' ')} ;;`;
}

function flagText({ name, describe, takesValue, values }: CompletableFlag): string {
  const about = describe.replace(/[[\]\\:]/g, (sign) => `\\${sign}`);
  const value = values === null ? ':value:_files' : `:value:(${values.join(' ')})`;
  return `*${name}[${about}]${takesValue ? value : ''}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
