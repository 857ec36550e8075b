// `npm run fleet -- install|start|stop|list|examine|command [name…|name:mode…] [--json] [--within SECONDS]`: the fleet of real MCP servers from the command line.
import { examine } from './fleet/examine.mjs';
import { examineStreamable } from './fleet/streamable/examine-streamable.mjs';
import { commandOf, install, listServers, start, stopAll } from './fleet/fleet.mjs';

const [command = 'list', ...rest] = process.argv.slice(2);
const json = rest.includes('--json');
const withinSec = takeNumber(rest, '--within') ?? 1800;
const wrong = rest.filter((word) => word.startsWith('--') && word !== '--json');
const known = listServers();
const named = rest.filter((word) => !word.startsWith('--')).map(readName);
const strangers = named.filter(({ word }) => !known.some((server) => namesOf(server).includes(word)));
const commands = {
  install: runInstall,
  start: runStart,
  stop: runStop,
  list: runList,
  examine: runExamine,
  command: runCommand,
};

if (!(command in commands) || wrong.length > 0 || strangers.length > 0) {
  for (const { word } of strangers)
    console.error(`fleet: no server "${word}"; there are ${known.flatMap(namesOf).join(', ')}`);
  console.error(
    'usage: npm run fleet -- install|start|stop|list|examine|command [name…|name:mode…] [--json] [--within SECONDS]',
  );
  process.exit(2);
}
process.exitCode = await commands[command](
  known.filter(({ name }) => named.length === 0 || named.some((each) => each.name === name)),
);

function readName(word) {
  const [name, mode] = word.split(':');
  return { word, name, mode };
}

// A server is named alone, or with one of its modes.
function namesOf({ name, modes }) {
  return [name, ...modes.map((mode) => `${name}:${mode.name}`)];
}

// The modes of a server that were asked for: by name, or else those that `byDefault` picks.
function modesWanted({ name, modes }, byDefault) {
  const asked = named.filter((each) => each.name === name && each.mode !== undefined);
  return asked.length > 0
    ? modes.filter((mode) => asked.some((each) => each.mode === mode.name))
    : byDefault(modes);
}

// Over stdio a server is started by whoever speaks with it.
function hasUrl({ transport }) {
  return transport !== 'stdio';
}

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
    for (const mode of modesWanted(server, (modes) => modes.filter(hasUrl).slice(0, 1))) {
      const result = await startOne(server, mode);
      results.push(result);
      if (!json)
        console.log(`${result.name}:${result.mode}: ${result.url ?? `not started: ${result.reason}`}`);
    }
  }
  if (json) console.log(JSON.stringify(results));
  const failed = results.filter(({ url }) => !url);
  return (named.length > 0 && failed.length > 0) || failed.length === results.length ? 1 : 0;
}

async function startOne({ name, installed, running }, { name: mode }) {
  const already = running.find((each) => each.mode === mode);
  if (already) return { name, ...already };
  if (!installed) return { name, mode, reason: `not installed; npm run fleet -- install ${name}` };
  try {
    const { url, pid } = await start(name, { keep: true, mode });
    return { name, mode, url, pid };
  } catch (error) {
    return { name, mode, reason: error.message };
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

// What README.md says of each server comes from here, one line of JSON for each of its modes; HTTP+SSE takes about a minute each.
async function runExamine(servers) {
  for (const server of servers.filter(({ installed }) => installed)) {
    const { name, library, version } = server;
    const modes = modesWanted(server, (all) => all.filter(hasUrl));
    for (const mode of modes) {
      const { url, stop } = await start(name, { mode: mode.name });
      const looked =
        mode.transport === 'sse'
          ? examine(url, server)
          : examineStreamable(url, server.calls, Object.keys(mode.eras));
      const facts = await looked.catch((error) => ({ error: error.message })).finally(stop);
      console.log(JSON.stringify({ name, mode: mode.name, library, version, facts }));
    }
  }
  return 0;
}

// What a scenario's `target` can be, a line of JSON for each server that speaks over stdio.
function runCommand(servers) {
  const found = servers
    .filter(({ installed }) => installed)
    .flatMap(({ name, modes }) => modes.filter((mode) => !hasUrl(mode)).map((mode) => [name, mode.name]))
    .map(([name, mode]) => {
      const { command, cwd, env } = commandOf(name, undefined, mode);
      return JSON.stringify({ command, cwd, env });
    });
  for (const line of found) console.log(line);
  return found.length === 0 ? 1 : 0;
}

function runList(servers) {
  if (json) return print(JSON.stringify(servers));
  const rows = servers.map(({ name, library, version, language, installed, running, modes }) => [
    name,
    `${library} ${version}`,
    language,
    modes.map((mode) => mode.name).join(' '),
    installed ? 'yes' : 'no',
    running.map(({ mode, url }) => `${mode} ${url}`).join(' ') || '–',
  ]);
  const table = [['name', 'library', 'language', 'modes', 'installed', 'running'], ...rows];
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
