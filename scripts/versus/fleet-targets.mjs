// The installed servers of the fleet, and our mock, as a file of targets for `mcp-bench versus`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stringify } from 'yaml';
import { commandOf, fleetHome, listServers } from '../fleet/fleet.mjs';

// As long as what the scenarios send, but constant: what a server puts before it can then be expected, too.
const constantMessage = '12345 0123456789abcdef';

/** Writes the targets, those named or all that are installed; returns the file, and the servers left out with the reason. */
export function writeFleetTargets(only = []) {
  const servers = listServers()
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .filter(({ modes }) => modes[0].transport === 'sse');
  const installed = servers.filter((server) => server.installed);
  const skipped = servers
    .filter((server) => !server.installed)
    .map(({ name }) => ({ name, reason: `not installed: npm run fleet -- install ${name}` }));
  const mock = { name: 'mock', about: 'the built-in mock of mcp-bench', mock: true };
  const withMock = only.length === 0 || only.includes('mock');
  const targets = [...(withMock ? [mock] : []), ...installed.map(targetOf)];
  const file = join(fleetHome, 'versus-targets.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify({ targets }, { lineWidth: 0 }));
  return { file, targets, skipped };
}

function targetOf({ name, library, version, language, calls }) {
  const { command, cwd, env, url } = commandOf(name, '{port}', 'sse');
  const own = callsOf(calls);
  return {
    name,
    about: `${library} ${version}, ${language}`,
    command: commandWords(command, cwd),
    cwd,
    env,
    inheritEnv: false,
    url,
    ready: '60s',
    ...(own === null ? {} : { calls: own }),
  };
}

/** A command without paths of this machine, which are of no use to whoever reads the result. */
export function commandWords([program, ...args], cwd) {
  return [program.startsWith(cwd) ? `./${relative(cwd, program)}` : program, ...args];
}

/** What a server is asked instead of `echo`, where it has none, or one that does not answer verbatim; null where it has. */
export function callsOf({ echo, cheap }) {
  if (echo === undefined) return [{ tool: cheap.tool, arguments: cheap.arguments }];
  const { message } = echo.arguments;
  if (echo.answer === message) return null;
  const equals = echo.answer.replace(message, constantMessage);
  return [
    { tool: echo.tool, arguments: { message: constantMessage }, expect: { path: 'content[0].text', equals } },
  ];
}
