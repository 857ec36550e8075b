// The same server over each of its transports, as a file of targets for `mcp-bench versus`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { commandOf, fleetHome, listServers } from '../fleet/fleet.mjs';
import { callsOf, commandWords } from './fleet-targets.mjs';

const revisions = { sessions: '2025-11-25', stateless: '2026-07-28' };

// One line a transport; the first is what the others are compared with. Modes that differ in nothing a client sees are left out.
const contests = {
  mock: ['sse', 'sessions', 'stateless'],
  'ts-sdk': ['sse', 'sessions', 'sessions-json', 'sessionless', 'sessionless-json'],
  'ts-sdk-2': ['sessions', 'sessions-json', 'stateless stateless', 'stateless-json stateless'],
  'server-everything': ['sse', 'sessions'],
  'python-sdk': ['sse', 'sessions', 'sessions-json', 'sessionless stateless'],
  'go-sdk': ['sse', 'sessions', 'sessions-json', 'sessionless stateless', 'sessionless-json stateless'],
  'mcp-go-latest': ['sse', 'sessions', 'sessionless stateless'],
  'rmcp-3': ['sessions', 'sessionless', 'sessionless stateless', 'sessionless-json stateless'],
};

/** The servers that speak more than one transport, those named or all: `{ name, about, file }`, or `{ name, reason }` where one is left out. */
export function writeTransportTargets(only = []) {
  const servers = new Map(listServers().map((server) => [server.name, server]));
  return Object.keys(contests)
    .filter((name) => only.length === 0 || only.includes(name))
    .map((name) => writeContest(name, servers.get(name)));
}

function writeContest(name, server) {
  if (server !== undefined && !server.installed)
    return { name, reason: `not installed: npm run fleet -- install ${name}` };
  const about = server === undefined ? 'the built-in mock' : `${server.library} ${server.version}`;
  const targets = contests[name].map((line) => {
    const [mode, era = mode === 'stateless' ? 'stateless' : 'sessions'] = line.split(' ');
    return server === undefined ? mockTarget(mode, era) : fleetTarget(server, mode, era);
  });
  const file = join(fleetHome, `versus-transports-${name}.yaml`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify({ targets }, { lineWidth: 0 }));
  return { name, about, file };
}

function spoken(transport, era) {
  return transport === 'sse' ? { transport } : { transport, protocol: revisions[era] };
}

function mockTarget(mode, era) {
  const name = mode === 'sse' ? 'HTTP+SSE' : mode === 'stateless' ? 'stateless' : 'sessions';
  return { name, mock: true, ...spoken(mode === 'sse' ? 'sse' : 'streamable', era) };
}

function fleetTarget(server, modeName, era) {
  const mode = server.modes.find((each) => each.name === modeName);
  const { command, cwd, env, url } = commandOf(server.name, '{port}', modeName);
  const own = callsOf(server.calls);
  return {
    name: nameOf(mode, era),
    command: commandWords(command, cwd),
    cwd,
    env,
    inheritEnv: false,
    url,
    ready: '60s',
    ...spoken(mode.transport, era),
    ...(own === null ? {} : { calls: own }),
  };
}

function nameOf({ name, transport, eras }, era) {
  if (transport === 'sse') return 'HTTP+SSE';
  const kept = era === 'stateless' ? 'stateless' : name.includes('less') ? 'no sessions' : 'sessions';
  return `${kept}, ${eras[era] === 'json' ? 'JSON' : 'SSE'} bodies`;
}
