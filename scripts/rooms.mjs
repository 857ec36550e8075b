// Which room may import which. A room is a folder of src/, a file beside them, or the mock. It fails the check when a room is not listed, when an import
// is not allowed, and when what is allowed is imported nowhere: the table is what ARCHITECTURE.md says, and nothing more.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from './ready.mjs';

// Known to all of src/, and knowing nothing themselves.
const everywhere = ['src/clock', 'src/deadlines', 'src/failure', 'src/fifo', 'src/text', 'src/version'];
// A path of two parts is a room, a longer one a single file of it.
const allowed = {
  'src/wire': [],
  'src/stats': [],
  'src/machine': [],
  // Of MCP a transport knows one word: whether a revision has sessions.
  'src/transport': ['src/wire', 'src/scenario', 'src/stats', 'src/machine', 'src/mcp/era'],
  // Of transports MCP and the load know the seam, and the turn of the loop that all of a worker shares.
  'src/mcp': ['src/wire', 'src/scenario', 'src/stats', 'src/transport/transport', 'src/transport/turn'],
  'src/load': [
    'src/mcp',
    'src/wire',
    'src/scenario',
    'src/stats',
    'src/transport/transport',
    'src/transport/traffic',
    'src/transport/turn',
  ],
  // What kinds of transport there are is plain data.
  'src/scenario': ['src/stats', 'src/wire', 'src/transport/transport-kinds'],
  'src/result': [
    'src/stats',
    'src/scenario',
    'src/transport/transport-kind',
    'src/transport/transport-kinds',
    'src/transport/transport-words',
  ],
  'src/compare': ['src/result', 'src/stats'],
  // Reports see what is written down of a run, a comparison, a contest, a probe and a ceiling, and nothing of how it was found.
  'src/report': [
    'src/result',
    'src/compare',
    'src/stats',
    'src/versus/versus-result',
    'src/ceiling/ceiling-report',
    'src/probe/probe-report',
    'src/probe/read-schema',
    'src/transport/transport-kind',
    'src/transport/transport-kinds',
  ],
  'src/detect': ['src/mcp', 'src/transport', 'src/wire', 'src/scenario'],
  'src/run': [
    'src/load',
    'src/detect',
    'src/mcp',
    'src/transport',
    'src/scenario',
    'src/stats',
    'src/result',
    'src/target',
    'src/machine',
  ],
  'src/probe': ['src/detect', 'src/mcp', 'src/transport', 'src/wire', 'src/scenario'],
  'src/ceiling': [
    'src/run',
    'src/detect',
    'src/probe',
    'src/mcp',
    'src/transport',
    'src/wire',
    'src/scenario',
    'src/stats',
    'src/result',
  ],
  // It asks a target whether it is ready in the way of its transport.
  'src/target': ['src/machine', 'src/detect', 'src/result', 'src/scenario'],
  'src/versus': ['src/run', 'src/detect', 'src/target', 'src/scenario', 'src/result', 'src/compare'],
  'src/cli': ['*'],
  'src/index': ['*'],
  'src/e2e': ['*'],
  'mock-server': ['src/failure'],
};

const wrong = [];
const used = new Set();
for (const file of files()) {
  const from = roomOf(file);
  if (!(from in allowed) && !everywhere.includes(from))
    wrong.push(`${file}: the room ${from} is not listed in scripts/rooms.mjs`);
  // A test may look at anything, and so may what serves tests.
  if (/\.(test|fixture)\.ts$/.test(file)) continue;
  for (const target of importsOf(file)) {
    const to = roomOf(target);
    if (to === from || (everywhere.includes(to) && from.startsWith('src/') && !everywhere.includes(from)))
      continue;
    const by = (allowed[from] ?? []).find((entry) => ['*', to, target.replace(/\.ts$/, '')].includes(entry));
    if (by === undefined) wrong.push(`${file}: ${from} may not import ${target}`);
    else used.add(`${from} ${by}`);
  }
}
for (const [from, entries] of Object.entries(allowed))
  for (const entry of entries)
    if (entry !== '*' && !used.has(`${from} ${entry}`))
      wrong.push(`scripts/rooms.mjs: ${from} may import ${entry}, and does not: take it out`);
for (const line of wrong) console.error(line);
process.exit(wrong.length === 0 ? 0 : 1);

function roomOf(file) {
  const [top, room] = file.split('/');
  return top === 'src' ? `src/${room.replace(/(\.test)?\.ts$/, '')}` : top;
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  // Static, dynamic, and of worker threads. A program that is started as a process is no import.
  const paths = /(?:from |import |import\(|new Worker\(new URL\()'(\.{1,2}\/[^']+\.js)'/g;
  return [...text.matchAll(paths)].map(([, path]) =>
    relative(root, resolve(dirname(join(root, file)), path))
      .split(sep)
      .join('/')
      .replace(/\.js$/, '.ts'),
  );
}

function files() {
  return ['src', 'mock-server']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
