// Runs k6 on script.js and says of it what the other clients say of themselves: ../../fleet/README.md, Clients.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';

const told = JSON.parse(process.argv[2]);
const words = ['run', '--quiet', '--no-usage-report', '--log-format=raw', '--env', `TOLD=${process.argv[2]}`];
const k6 = spawn('./bin/server', [...words, 'script.js'], { stdio: ['ignore', 'pipe', 'pipe'] });
let complaint = '';
createInterface({ input: k6.stderr }).on('line', (line) => {
  if (!line.includes('first iteration')) return void (complaint ||= line);
  // Its sessions are opened in the first iteration of each VU.
  say({ at: 'ready', sessions: told.sessions, failed: 0 });
  setTimeout(() => say({ at: 'measuring' }), told.warmupSeconds * 1000);
  setTimeout(() => say({ at: 'measured' }), (told.warmupSeconds + told.seconds) * 1000);
});
const [said] = await Promise.all([text(k6.stdout), once(k6, 'close')]);
const { calls, failed, dropped } = JSON.parse(said);
say({
  at: 'done',
  sessions: told.sessions,
  calls: calls?.count ?? 0,
  errors: failed,
  seconds: told.seconds,
  p50Ms: calls?.med ?? null,
  p95Ms: calls?.['p(95)'] ?? null,
  p99Ms: calls?.['p(99)'] ?? null,
  maxMs: calls?.max ?? null,
  notStarted: dropped,
  firstError: complaint === '' ? null : complaint,
});
await buffer(process.stdin);

function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
