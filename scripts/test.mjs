// `npm test`: set-up, the checks, all tests; closes with one line that counts them.
// `--skipped FILE --when CONDITION…` fails where other tests are skipped than the file lists for these conditions (CI).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, root, runCommand, runTool } from './ready.mjs';
import { skipDifferences } from './skipped.mjs';

ensureBuilt();
const { values: given, positionals: only } = parseArgs({
  options: { skipped: { type: 'string' }, when: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const checked = only.length > 0 ? 0 : runCommand(process.execPath, [join(root, 'scripts', 'check.mjs')]);
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-test-'));
const report = join(folder, 'vitest.json');
const tested = runTool('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...only,
]);
let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
try {
  counts = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('mcp-bench: vitest left no report');
}
rmSync(folder, { recursive: true, force: true });
if (checked !== 0) console.error('mcp-bench: npm run check failed, see above');
const unexpected =
  given.skipped === undefined
    ? []
    : skipDifferences(counts, readFileSync(given.skipped, 'utf8'), { root, when: given.when });
for (const line of unexpected) console.error(`mcp-bench: ${given.skipped}: ${line}`);
const skipped = counts.numPendingTests + counts.numTodoTests;
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped`);
process.exit(tested || checked || (unexpected.length > 0 || counts.numPassedTests === 0 ? 1 : 0));
