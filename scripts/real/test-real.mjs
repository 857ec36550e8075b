// `npm run test:real [names…] [--within SECONDS]`: the real servers that are there, under load and under faults; closes with one line that counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listServers, whyMissing } from '../fleet/fleet.mjs';
import { ensureBuilt, fail, root, runTool } from '../ready.mjs';

const words = process.argv.slice(2);
const at = words.indexOf('--within');
const withinSec = at < 0 ? undefined : Number(words.splice(at, 2)[1]);
const known = listServers().map(({ name }) => name);
const strangers = words.filter((name) => !known.includes(name));
if (strangers.length > 0) fail(`no server "${strangers[0]}" in the fleet; there are ${known.join(', ')}`, 2);
if (withinSec !== undefined && !(withinSec > 0)) fail('--within: expected a number of seconds', 2);

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-real-report-'));
const report = join(folder, 'vitest.json');
const env = { ...process.env, MCP_BENCH_REAL_SERVERS: words.join(' ') };
if (withinSec !== undefined) env.MCP_BENCH_REAL_END_MS = String(Date.now() + withinSec * 1000);
const options = ['--config', join(root, 'scripts', 'real', 'vitest.config.ts')];
const tested = runTool(
  'vitest',
  ['run', ...options, '--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`],
  { env },
);
let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
try {
  counts = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('mcp-bench: vitest left no report');
}
rmSync(folder, { recursive: true, force: true });
for (const name of words.length > 0 ? words : known) {
  const reason = whyMissing(name);
  if (reason !== undefined) console.log(`skipped ${name}: ${reason}`);
}
console.log(
  `${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${counts.numPendingTests} skipped`,
);
process.exit(tested || (counts.numPassedTests === 0 ? 1 : 0));
