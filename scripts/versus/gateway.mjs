// `npm run versus:gateway`: what it costs to put an HTTP gateway before a server that speaks stdio.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, fail, root, runCommand } from '../ready.mjs';
import { writeGatewayTargets } from './gateway-targets.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    out: { type: 'string', default: join('results', 'versus') },
    docs: { type: 'string', default: join('docs', 'real-servers.md') },
    'table-only': { type: 'boolean', default: false },
  },
});

ensureBuilt();
const { name, about, file, reason } = writeGatewayTargets();
if (reason !== undefined) fail(`${name} is ${reason}`);
const dist = join(root, 'dist');
const result = join(options.out, 'gateway.json');
const scenario = join('scripts', 'versus', 'gateway.yaml');
const contest = ['versus', file, scenario, '--rounds', options.rounds, '--out', result];
const held = options['table-only']
  ? 0
  : runCommand(process.execPath, [join(dist, 'src', 'cli', 'main.js'), ...contest]);
const table = ['--contest', `${name}=${about}=${result}`, '--section', 'versus:gateway'];
process.exitCode = Math.max(
  held,
  runCommand(process.execPath, [
    join(dist, 'scripts', 'versus', 'transports-table.js'),
    ...table,
    '--docs',
    options.docs,
  ]),
);
