import type { CompletableCommand } from './completable.js';

/** A script for bash 3.2 and later: `source <(mcp-bench completion bash)`. */
export function bashCompletion(commands: readonly CompletableCommand[]): string {
  const names = commands.map(({ name }) => name);
  const values = commands.flatMap(({ name, flags }) => flags.map((flag) => ({ command: name, ...flag })));
  const worded = values.filter(({ values: words }) => words !== null);
  const free = values.filter(({ values: words, takesValue }) => words === null && takesValue);
  return `# bash completion of mcp-bench: source <(mcp-bench completion bash)
_mcp_bench() {
  local cur prev word command= words= flags= files=
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      ${names.join('|')}) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $command:$prev in
${worded.map(({ command, name, values: words }) => `    ${command}:${name}) COMPREPLY=($(compgen -W '${words!.join(' ')}' -- "$cur"))${words!.some((each) => each.endsWith('=')) ? '; compopt -o nospace 2>/dev/null' : ''}; return ;;`).join('\n')}
    ${free.map(({ command, name }) => `${command}:${name}`).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  case $command in
    '') words='${names.join(' ')}'; flags='--help --version' ;;
${commands.map(({ name, words, flags, takesFiles }) => `    ${name}) words='${words.join(' ')}'; flags='${flags.map((flag) => flag.name).join(' ')}'; files=${takesFiles ? 'yes' : ''} ;;`).join('\n')}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); return; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _mcp_bench mcp-bench
`;
}
