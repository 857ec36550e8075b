import type { RunResult } from '../../result/result.js';
import { formatCount } from '../../result/units.js';

/** What became of the sessions: `98 of 100 ready, 2 failed`. */
export function sessionsText(sessions: RunResult['sessions']): string {
  const named: [number, string][] = [
    [sessions.failed, 'failed'],
    [sessions.opened - sessions.ready - sessions.failed, 'still opening at the end'],
    [sessions.dropped, 'dropped'],
    [sessions.reconnects, 'reconnected'],
    [sessions.abandoned, 'abandoned'],
    [sessions.connectRetries, 'connects retried'],
  ];
  const others = named
    .filter(([count]) => count > 0)
    .map(([count, name]) => `, ${formatCount(count)} ${name}`);
  return `${formatCount(sessions.ready)} of ${formatCount(sessions.opened)} ready${others.join('')}`;
}
