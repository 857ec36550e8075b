// `npm run versus:fleet`: every installed server of the fleet and our mock against each other, flat out and at a pace.
// `npm run versus:fleet -- --sdk-loop`: the same servers under a loop around the official SDK's client, beside mcp-bench.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, fail, root, runCommand } from '../ready.mjs';
import { writeFleetTargets } from './fleet-targets.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join('results', 'versus') },
    'sdk-loop': { type: 'boolean', default: false },
    'write-only': { type: 'boolean', default: false },
  },
});

ensureBuilt();
const { file, targets, skipped } = writeFleetTargets(options.only);
for (const { name, reason } of skipped) console.error(`versus:fleet: ${name} is left out, ${reason}`);
if (targets.length === 0) fail('no server of the fleet is installed: npm run fleet -- install');
console.error(`versus:fleet: ${targets.map(({ name }) => name).join(', ')} (${file})`);
if (!options['write-only']) process.exitCode = options['sdk-loop'] ? sdkLoop() : contests();

function contests() {
  const codes = ['closed', 'rate'].map((load) => {
    const out = join(options.out, `fleet-${load}`);
    const main = join(root, 'dist', 'src', 'cli', 'main.js');
    const command = ['versus', file, join('scripts', 'versus', `${load}.yaml`), '--rounds', options.rounds];
    const files = ['--out', `${out}.json`, '--report', `html=${out}.html`, '--report', `md=${out}.md`];
    return runCommand(process.execPath, [main, ...command, ...files]);
  });
  return Math.max(...codes);
}

function sdkLoop() {
  const program = join(root, 'dist', 'scripts', 'versus', 'sdk-loop.js');
  const scenario = join('scripts', 'versus', 'closed.yaml');
  return runCommand(process.execPath, [
    program,
    file,
    scenario,
    '--rounds',
    options.rounds,
    '--out',
    options.out,
  ]);
}
