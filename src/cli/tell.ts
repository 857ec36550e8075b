import { oneLine } from '../text/one-line.js';
import { redact } from '../text/secrets.js';

/**
 * Says something on standard error, as one printable line without secrets, whoever's words are in it. It begins with our name, so that a job's log takes
 * none for a command (`::error::`); the older form of those (`##[error]`) would be taken for one anywhere.
 */
export function tell(line: string): void {
  console.error(`mcp-bench: ${oneLine(redact(line)).replaceAll('##[', '# #[')}`);
}

/** Says what nobody foresaw, with the places it came from: a line each. */
export function tellBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const line of text.split('\n')) tell(line);
}
