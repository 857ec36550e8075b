import { readFileSync } from 'node:fs';

/** One call as the mock saw it; times are nanoseconds of the machine's monotonic clock. */
export interface LoggedCall {
  readonly id: number;
  readonly receivedNs: number;
  /** null: nothing was sent. */
  readonly sentNs: number | null;
  /** What was done to it on purpose. */
  readonly injected: readonly string[];
}

export interface LoggedFreeze {
  readonly fromNs: number;
  readonly toNs: number;
}

/** What the mock wrote down of its own doings. */
export interface MockLog {
  /** In the order of their ids, which is that of their intended starts where one worker paced them. */
  readonly calls: readonly LoggedCall[];
  readonly freezes: readonly LoggedFreeze[];
}

/** Reads the file that `serve-mock --log` wrote. */
export function readMockLog(path: string): MockLog {
  return parseMockLog(readFileSync(path, 'utf8'));
}

/** Reads its text; throws on a line that is neither a call nor a freeze. */
export function parseMockLog(text: string): MockLog {
  const calls: LoggedCall[] = [];
  const freezes: LoggedFreeze[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line) as Partial<LoggedCall> & { freeze?: LoggedFreeze };
    if (entry.freeze) freezes.push(entry.freeze);
    else if (typeof entry.id === 'number' && typeof entry.receivedNs === 'number')
      calls.push(entry as LoggedCall);
    else throw new Error(`not a line of the mock's log: ${line}`);
  }
  calls.sort((a, b) => a.id - b.id);
  return { calls, freezes };
}
