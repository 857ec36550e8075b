// `npm run bench:peers [-- --only NAME]… [--install-only]`: mcp-bench and what others would use on the same mock; the table goes to docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createFleet, fleetHome } from '../fleet/fleet.mjs';
import { ensureBuilt, fail, root, runCommand } from '../ready.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join('results', 'bench', 'peers.json') },
    docs: { type: 'string', default: join('docs', 'benchmarks.md') },
    'install-only': { type: 'boolean', default: false },
    'table-only': { type: 'boolean', default: false },
  },
});

// Clients that come with a server of the fleet, and those that are clients only.
const sdks = createFleet({ folder: join(here, '..', 'fleet'), home: fleetHome });
const tools = createFleet({ folder: here, home: join(fleetHome, 'peers') });
const known = {
  'mcp-bench': { find: ownClient, paces: true },
  'rmcp-3': { find: () => fleetClient(sdks, 'rmcp-3') },
  'go-sdk': { find: () => fleetClient(sdks, 'go-sdk') },
  'ts-sdk': { find: () => fleetClient(sdks, 'ts-sdk') },
  'ts-sdk-2': { find: () => fleetClient(sdks, 'ts-sdk-2') },
  'python-sdk': { find: () => fleetClient(sdks, 'python-sdk') },
  k6: { find: () => fleetClient(tools, 'k6'), paces: true },
  locust: { find: () => fleetClient(tools, 'locust'), paces: true },
  autocannon: { find: autocannonClient, paces: true, postsOnly: ['sse'] },
  wrk: { find: wrkClient, postsOnly: ['sse'] },
};
const strangers = options.only.filter((name) => !(name in known));
if (strangers.length > 0) fail(`no client "${strangers[0]}"; there are ${Object.keys(known).join(', ')}`, 2);

ensureBuilt();
const peers = [];
for (const [name, { find, paces = false, postsOnly = [] }] of Object.entries(known)) {
  if (options['table-only'] || (options.only.length > 0 && !options.only.includes(name))) continue;
  const found = await find();
  if (found.reason !== undefined) console.error(`bench:peers: skipped ${name}: ${found.reason}`);
  peers.push({ name, paces, postsOnly, ...found });
}
if (!options['install-only']) {
  const file = join(fleetHome, 'peers.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(peers));
  const program = join(root, 'dist', 'scripts', 'peers', 'measure-peers.js');
  const words = [file, '--rounds', options.rounds, '--out', options.out, '--docs', options.docs];
  process.exitCode = runCommand(process.execPath, [program, ...words]);
}

async function fleetClient(fleet, name) {
  const { state, reason } = await fleet.install(name);
  const server = fleet.listServers().find((each) => each.name === name);
  const about = `${server.library} ${server.version}, ${server.language}`;
  if (state === 'skipped') return { about, reason };
  const transports = server.clientTransports.filter((each) => !each.startsWith('stdio'));
  return { about, transports, ...fleet.clientOf(name) };
}

function ownClient() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ourProgram('own', `mcp-bench ${version}`, ['sse', 'sessions', 'stateless']);
}

function autocannonClient() {
  const file = join(root, 'node_modules', 'autocannon', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  return ourProgram('autocannon', `autocannon ${version}, JavaScript`, ['sse', 'stateless']);
}

function wrkClient() {
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  if (error) return { about: 'wrk', reason: 'wrk is not on the PATH' };
  return ourProgram('wrk', `wrk ${/^wrk (\S+)/.exec(stdout)?.[1]}, C`, ['sse', 'stateless']);
}

function ourProgram(name, about, transports) {
  const program = join(root, 'dist', 'scripts', 'peers', 'clients', `${name}.js`);
  return {
    about,
    transports,
    command: [process.execPath, program],
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  };
}
