// Format, lint (no import cycles), rooms, types, unused code: all of them run, the first failure decides the exit code.
import { ensureInstalled, runCommand, runTool } from './ready.mjs';

ensureInstalled();
const steps = [
  ['format', () => runTool('oxfmt', ['--check', '.'])],
  ['lint', () => runTool('oxlint', ['--deny-warnings'])],
  ['rooms', () => runCommand(process.execPath, ['scripts/rooms.mjs'])],
  ['types', () => runTool('tsc', ['-p', 'tsconfig.json'])],
  ['types of the page', () => runTool('tsc', ['-p', 'src/report/page/browser/tsconfig.json'])],
  ['unused code', () => runTool('knip', ['--no-progress'])],
];
const failed = steps.filter(([name, step]) => {
  const bad = step() !== 0;
  console.log(`check: ${name} ${bad ? 'FAILED' : 'ok'}`);
  return bad;
});
process.exit(failed.length === 0 ? 0 : 1);
