import type { StatsSnapshot } from '../../../mock-server/stats.js';

/** What the mock says at its end of what it counted. */
export function finalLines(stats: StatsSnapshot): string {
  const { sessions, posts, calls, injected } = stats;
  const done = Object.entries(injected).filter(([, count]) => count > 0);
  const lines = [
    `sessions: ${sessions.opened} opened, ${sessions.closedByClient} closed by clients, ${sessions.closedByServer} by the server`,
    `calls: ${calls.received} received, ${stats.responsesSent} responses sent, ${stats.lateWrites} too late${stats.engine === 'stdio' ? '' : `; ${posts.received} POSTs`}`,
    `bytes: ${stats.bytes.in} in, ${stats.bytes.out} out`,
  ];
  if (done.length > 0) lines.push(`injected: ${done.map(([name, count]) => `${name} ${count}`).join(', ')}`);
  return lines.join('\n');
}
