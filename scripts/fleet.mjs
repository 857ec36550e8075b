// `npm run fleet -- install|start|stop|list|examine [names…] [--json] [--within SECONDS]`: the fleet of real MCP servers from the command line.
import { examine } from './fleet/examine.mjs';
import { install, listServers, start, stopAll } from './fleet/fleet.mjs';

const [command = 'list', ...rest] = process.argv.slice(2);
const json = rest.includes('--json');
const withinSec = takeNumber(rest, '--within') ?? 1800;
const wrong = rest.filter((word) => word.startsWith('--') && word !== '--json');
const known = listServers();
const named = rest.filter((word) => !word.startsWith('--'));
const strangers = named.filter((name) => !known.some((server) => server.name === name));
const commands = { install: runInstall, start: runStart, stop: runStop, list: runList, examine: runExamine };

if (!(command in commands) || wrong.length > 0 || strangers.length > 0) {
  for (const name of strangers)
    console.error(`fleet: no server "${name}"; there are ${known.map((s) => s.name).join(', ')}`);
  console.error(
    'usage: npm run fleet -- install|start|stop|list|examine [names…] [--json] [--within SECONDS]',
  );
  process.exit(2);
}
process.exitCode = await commands[command](
  known.filter(({ name }) => named.length === 0 || named.includes(name)),
);

// Takes an option with a number out of the words; anything but a number stays there, and is refused with the rest.
function takeNumber(words, option) {
  const at = words.indexOf(option);
  const value = Number(words[at + 1]);
  if (at < 0 || !(value > 0)) return undefined;
  words.splice(at, 2);
  return value;
}

// Named servers were asked for, so a skipped one is a failure; unnamed, the fleet is whatever this machine can have.
async function runInstall(servers) {
  const results = [];
  const endMs = performance.now() + withinSec * 1000;
  for (const { name } of cheapestFirst(servers)) {
    if (!json) console.error(`fleet: ${name}…`);
    const result = await install(name, { limitMs: endMs - performance.now() });
    results.push(result);
    if (!json) console.log(installLine(result));
  }
  if (json) console.log(JSON.stringify(results));
  const skipped = results.filter(({ state }) => state === 'skipped');
  if (!json) console.log(`fleet: ${results.length - skipped.length} installed, ${skipped.length} skipped`);
  return (named.length > 0 && skipped.length > 0) || skipped.length === results.length ? 1 : 0;
}

// Where the time is short, one long build must not cost the others theirs.
function cheapestFirst(servers) {
  const cost = ({ name, kind }) =>
    ['npm', 'go', 'python', 'rust'].indexOf(kind) + (name === 'serena' ? 0.5 : 0);
  return [...servers].sort((a, b) => cost(a) - cost(b));
}

function installLine({ name, state, reason, tookMs }) {
  if (state === 'skipped') return `${name}: skipped: ${reason}`;
  return state === 'present'
    ? `${name}: already installed`
    : `${name}: installed in ${(tookMs / 1000).toFixed(1)} s`;
}

async function runStart(servers) {
  const results = [];
  for (const server of servers) {
    const result = await startOne(server);
    results.push(result);
    if (!json) console.log(`${result.name}: ${result.url ?? `not started: ${result.reason}`}`);
  }
  if (json) console.log(JSON.stringify(results));
  const failed = results.filter(({ url }) => !url);
  return (named.length > 0 && failed.length > 0) || failed.length === results.length ? 1 : 0;
}

async function startOne({ name, installed, running }) {
  if (running.length > 0) return { name, ...running[0] };
  if (!installed) return { name, reason: `not installed; npm run fleet -- install ${name}` };
  try {
    const { url, pid } = await start(name, { keep: true });
    return { name, url, pid };
  } catch (error) {
    return { name, reason: error.message };
  }
}

async function runStop(servers) {
  const results = await Promise.all(
    servers.map(async ({ name }) => ({ name, stopped: await stopAll(name) })),
  );
  if (json) console.log(JSON.stringify(results));
  else for (const { name, stopped } of results) if (stopped > 0) console.log(`${name}: stopped`);
  return 0;
}

// What README.md says of each server comes from here, one line of JSON a server; it takes about a minute each.
async function runExamine(servers) {
  for (const server of servers.filter(({ installed }) => installed)) {
    const { name, library, version } = server;
    const { url, stop } = await start(name);
    const facts = await examine(url, server)
      .catch((error) => ({ error: error.message }))
      .finally(stop);
    console.log(JSON.stringify({ name, library, version, facts }));
  }
  return 0;
}

function runList(servers) {
  if (json) return print(JSON.stringify(servers));
  const rows = servers.map(({ name, library, version, language, installed, running }) => [
    name,
    `${library} ${version}`,
    language,
    installed ? 'yes' : 'no',
    running.map(({ url }) => url).join(' ') || '–',
  ]);
  const table = [['name', 'library', 'language', 'installed', 'running'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return print(
    table
      .map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i]))
          .join('  ')
          .trimEnd(),
      )
      .join('\n'),
  );
}

function print(text) {
  console.log(text);
  return 0;
}
