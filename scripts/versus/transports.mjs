// `npm run versus:transports [-- --only NAME]…`: what a transport costs or saves, by the same servers over each that they speak, flat out. The table goes to docs/transports.md.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, fail, root, runCommand } from '../ready.mjs';
import { writeTransportTargets } from './transport-targets.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join('results', 'versus') },
    docs: { type: 'string', default: join('docs', 'transports.md') },
    'table-only': { type: 'boolean', default: false },
  },
});

ensureBuilt();
const contests = writeTransportTargets(options.only);
const possible = contests.filter(({ file }) => file !== undefined);
for (const { name, reason } of contests)
  if (reason !== undefined) console.error(`versus:transports: ${name} is left out, ${reason}`);
if (possible.length === 0) fail('no server of the fleet is installed: npm run fleet -- install');

const resultOf = (name) => join(options.out, `transports-${name}.json`);
const codes = options['table-only'] ? [] : possible.map(contest);
// Those that were not measured now keep their place in the table by what was measured before.
const told = writeTransportTargets().flatMap(({ name, about }) => [
  '--contest',
  `${name}=${about ?? name}=${resultOf(name)}`,
]);
codes.push(
  runCommand(process.execPath, [
    join(root, 'dist', 'scripts', 'versus', 'transports-table.js'),
    ...told,
    '--docs',
    options.docs,
    '--section',
    'versus:transports',
  ]),
);
process.exitCode = Math.max(...codes);

function contest({ name, file }) {
  console.error(`versus:transports: ${name}`);
  const main = join(root, 'dist', 'src', 'cli', 'main.js');
  const scenario = join('scripts', 'versus', 'transports.yaml');
  const words = ['versus', file, scenario, '--rounds', options.rounds, '--out', resultOf(name)];
  return runCommand(process.execPath, [main, ...words]);
}
