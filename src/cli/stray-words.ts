import { Failure } from '../failure.js';

// What to do about a server's command line, by the command that it was given to without a `--`.
const started = 'to start a server and speak to it over stdio, put "--" before its command';
const instead: Readonly<Record<string, string>> = {
  run: started,
  calibrate: started,
  probe: started,
  init: started,
  ceiling: 'start the server yourself and give its URL',
  versus: 'a file of targets can name the command of a server',
};

/** The words of a command line, and the command of a server behind its `--`; null where it has none. */
export interface SplitLine {
  readonly words: readonly string[];
  readonly server: readonly string[] | null;
}

/** Takes the command of a server off a command line; ignoring it where none can be started would measure something else. */
export function splitDashes(argv: readonly string[], takers: readonly string[]): SplitLine {
  const at = argv.indexOf('--');
  if (at < 0) return { words: argv, server: null };
  const words = argv.slice(0, at);
  const server = argv.slice(at + 1);
  const command = commandOf(words);
  const name = command ?? 'mcp-bench';
  const takes = takers.includes(name);
  if (server.length === 0)
    throw new Failure(
      takes
        ? `${name}: expected the command of a server after "--", found nothing`
        : `${name} takes nothing after "--": leave it out`,
    );
  if (takes) return { words, server };
  const rest = server.join(' ');
  const advice = instead[command ?? ''];
  throw new Failure(
    advice === undefined
      ? `${name} takes nothing after "--", found "-- ${rest}"`
      : `${name} takes no "-- ${rest}": ${advice} (or leave out the "--")`,
  );
}

/** What is wrong with words that a command does not take, given yargs' complaint; null where that is about something else. */
export function describeStrayWords(message: string, argv: readonly string[]): string | null {
  const [, listed] = /^Unknown (?:argument|command)s?: (.+)$/s.exec(message) ?? [];
  const command = commandOf(argv);
  if (listed === undefined || command === null) return null;
  // yargs names unknown options without their dashes: these are in the list as well, but not on the command line like that.
  const strays = argv.filter((word) => word !== command && listed.split(', ').includes(word));
  if (strays.length === 0) return null;
  const found = `${command} does not take ${strays.map((word) => `"${word}"`).join(' ')}`;
  const url = strays.find((word) => /^https?:\/\//i.test(word));
  if (url !== undefined && (command === 'run' || command === 'calibrate'))
    return `${found}: to name the server, --target ${url}`;
  const advice = instead[command];
  if (advice !== undefined && /^(node|npx|uvx?|python[\d.]*|docker|deno|bun)$/.test(strays[0]!))
    return `${found}: ${advice}`;
  return found;
}

function commandOf(argv: readonly string[]): string | null {
  return argv.find((word) => !word.startsWith('-')) ?? null;
}
