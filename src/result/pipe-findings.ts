import type { Note, Pipes } from './result.js';
import { formatAmount } from './units.js';

/** What is noteworthy about servers that are processes: what they write besides messages, and how they end. */
export function pipeFindings(pipes: Pipes | undefined, example: string | undefined): Note[] {
  if (pipes === undefined) return [];
  const { otherLines, survivedEof, killed, leftOthers } = pipes;
  const such = example === undefined ? '' : `, such as “${example}”`;
  const found: [number, string, string][] = [
    [
      otherLines,
      'stdout-polluted',
      `${formatAmount(otherLines, 'line')} on standard output ${otherLines === 1 ? 'was' : 'were'} no JSON${such}: clients that read every line as a message fail on ${otherLines === 1 ? 'it' : 'them'}. Logs belong on standard error.`,
    ],
    [
      survivedEof,
      'survived-eof',
      `${formatAmount(survivedEof, 'process', 'processes')} went on for two seconds after the end of standard input and had to be ended by ${killed === 0 ? 'SIGTERM' : killed === survivedEof ? 'SIGKILL' : `SIGTERM, ${killed} of them by SIGKILL`}: with clients that just close their pipes such servers stay behind.`,
    ],
    [
      leftOthers,
      'left-processes',
      `${formatAmount(leftOthers, 'server')} left other processes behind when ${leftOthers === 1 ? 'it' : 'they'} ended: mcp-bench ended those, other clients would not.`,
    ],
  ];
  return found.flatMap(([count, code, message]) => (count > 0 ? [{ code, message }] : []));
}
