import { oneLine, withoutCommands } from '../text/one-line.js';
import { redact } from '../text/secrets.js';

/**
 * Says something on standard error, as one printable line without secrets, whoever's words are in it. It begins with our name, so that a job's log takes
 * none for a command (`::error::`); those that would be taken for one anywhere (`##[error]`) are broken up.
 */
export function tell(line: string): void {
  console.error(`mcp-bench: ${withoutCommands(oneLine(redact(line)))}`);
}

/** Says what nobody foresaw, with the places it came from: a line each. */
export function tellBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const line of text.split('\n')) tell(line);
}
