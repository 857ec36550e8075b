import { Failure } from '../failure.js';

// What to do about a server's command line, by the command that it was given to.
const instead: Readonly<Record<string, string>> = {
  run: 'start the server yourself and give --target URL',
  calibrate: 'start the server yourself and give --target URL',
  probe: 'start the server yourself and give its URL',
  init: 'start the server yourself and give its URL',
  ceiling: 'start the server yourself and give its URL',
  versus: 'a file of targets can name the command of a server with a URL',
};

/** Refuses a `--` on the command line: no command takes words after it, and ignoring them would measure something else. */
export function refuseDashes(argv: readonly string[]): void {
  const at = argv.indexOf('--');
  if (at < 0) return;
  const command = commandOf(argv.slice(0, at));
  const rest = argv.slice(at + 1).join(' ');
  const name = command ?? 'mcp-bench';
  if (rest === '') throw new Failure(`${name} takes nothing after "--": leave it out`);
  const advice = instead[command ?? ''];
  throw new Failure(
    advice === undefined
      ? `${name} takes nothing after "--", found "-- ${rest}"`
      : `${name} takes no "-- ${rest}": it cannot start a server over stdio yet; ${advice} (or leave out the "--")`,
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
  if (url !== undefined && instead[command]?.includes('--target'))
    return `${found}: to name the server, --target ${url}`;
  const advice = instead[command];
  if (advice !== undefined && /^(node|npx|uvx?|python[\d.]*|docker|deno|bun)$/.test(strays[0]!))
    return `${found}: it cannot start a server over stdio yet; ${advice}`;
  return found;
}

function commandOf(argv: readonly string[]): string | null {
  return argv.find((word) => !word.startsWith('-')) ?? null;
}
