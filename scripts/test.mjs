// `npm test`: set-up, the checks, all tests; closes with one line that counts them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, root, runCommand, runTool } from './ready.mjs';

ensureBuilt();
const only = process.argv.slice(2);
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
let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
try {
  counts = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('mcp-bench: vitest left no report');
}
rmSync(folder, { recursive: true, force: true });
if (checked !== 0) console.error('mcp-bench: npm run check failed, see above');
const skipped = counts.numPendingTests + counts.numTodoTests;
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped`);
process.exit(tested || checked || (counts.numPassedTests === 0 ? 1 : 0));
