// Which room may import which. A folder that is not listed, or an import that points the wrong way, fails the check.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from './ready.mjs';

// What kinds of transport there are is plain data, and known where no transport itself may be.
const kinds = [
  'src/transport/transport-kind',
  'src/transport/transport-kinds',
  'src/transport/transport-words',
];
// What load and MCP may know of transports: the seam, and the turn of the loop that all of a worker shares.
const seam = ['src/transport/transport', 'src/transport/traffic', 'src/transport/turn'];
const everywhere = ['src/clock', 'src/deadlines', 'src/failure', 'src/fifo', 'src/text', 'src/version'];
const allowed = {
  'src/clock': [],
  'src/deadlines': [],
  'src/failure': [],
  'src/fifo': [],
  'src/version': [],
  'src/text': [],
  'src/stats': [],
  'src/wire': [],
  'src/transport': ['src/wire', 'src/scenario', 'src/stats'],
  'src/mcp': ['src/wire', 'src/scenario', 'src/stats', ...seam],
  'src/scenario': ['src/stats', 'src/wire', ...kinds],
  'src/load': ['src/mcp', 'src/wire', 'src/scenario', 'src/stats', ...seam],
  'src/result': ['src/stats', 'src/scenario', ...kinds],
  'src/compare': ['src/result', 'src/stats'],
  'src/report': [
    'src/result',
    'src/compare',
    'src/stats',
    'src/probe',
    'src/ceiling',
    'src/versus',
    ...kinds,
  ],
  'src/run': [
    'src/load',
    'src/mcp',
    'src/transport',
    'src/scenario',
    'src/stats',
    'src/result',
    'src/compare',
    'src/target',
    'src/machine',
  ],
  'src/machine': [],
  'src/ceiling': [
    'src/run',
    'src/probe',
    'src/mcp',
    'src/transport',
    'src/wire',
    'src/scenario',
    'src/stats',
    'src/result',
  ],
  'src/probe': ['src/mcp', 'src/transport', 'src/wire', 'src/scenario', 'src/stats'],
  'src/target': [
    'src/machine',
    'src/result',
    'src/mcp',
    'src/transport',
    'src/wire',
    'src/scenario',
    'mock-server',
  ],
  'src/versus': [
    'src/run',
    'src/target',
    'src/machine',
    'src/scenario',
    'src/result',
    'src/compare',
    'src/stats',
  ],
  'src/cli': ['*'],
  'src/index.ts': ['*'],
  'src/failure.test.ts': ['*'],
  'src/clock.test.ts': ['*'],
  'src/fifo.test.ts': ['*'],
  'src/e2e': ['*'],
  'mock-server': [],
  scripts: ['*'],
};

const wrong = [];
for (const file of files()) {
  const from = roomOf(file);
  if (!(from in allowed)) wrong.push(`${file}: the room ${from} is not listed in scripts/rooms.mjs`);
  const test = file.endsWith('.test.ts');
  for (const target of importsOf(file)) {
    const to = roomOf(target);
    if (to === from || everywhere.includes(to) || test) continue;
    const may = allowed[from] ?? [];
    if (!may.includes('*') && !may.includes(to) && !may.includes(target.replace(/\.ts$/, '')))
      wrong.push(`${file}: ${from} may not import ${to} (${target})`);
  }
}
for (const line of wrong) console.error(line);
process.exit(wrong.length === 0 ? 0 : 1);

function roomOf(file) {
  const parts = file.split('/');
  if (parts[0] === 'mock-server' || parts[0] === 'scripts') return parts[0];
  return parts.length === 2
    ? `src/${parts[1]}`.replace(/^src\/(clock|deadlines|failure|fifo|version)\.ts$/, 'src/$1')
    : `src/${parts[1]}`;
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [];
  for (const [, path] of text.matchAll(/from '(\.{1,2}\/[^']+)'/g)) {
    const target = relative(root, resolve(dirname(join(root, file)), path))
      .split(sep)
      .join('/');
    found.push(target.replace(/\.js$/, '.ts'));
  }
  return found;
}

function files() {
  return ['src', 'mock-server']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
