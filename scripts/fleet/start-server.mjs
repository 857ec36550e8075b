// Starts an installed server on a free port and waits until it answers.
import { join, resolve } from 'node:path';
import { awaitServer, freePort } from './await-server.mjs';
import { copyFiles, describeMode, describeServer, tailOf } from './describe-server.mjs';
import { isInstalled } from './install-server.mjs';
import { endWithProcess, spawnGroup, stopGroup } from './process-group.mjs';
import { noteRunning } from './running-servers.mjs';

const readyLimitMs = 60_000;

/**
 * How to start an installed server on a port, in its first mode unless told: `{ command, cwd, env, url }`; `env` is its whole
 * environment. Over stdio there is neither port nor URL.
 */
export function commandOf(fleet, name, port, modeName) {
  const server = describeServer(fleet, name);
  const mode = describeMode(server.manifest, name, modeName);
  const url = mode.transport === 'stdio' ? undefined : `http://127.0.0.1:${port}${mode.path}`;
  return { ...fillCommand(fleet, server, mode.command, { mode: mode.name, port }), url };
}

/** How to run the loop around the client of a server's library, as README.md has it under Clients: `{ command, cwd, env }`. */
export function clientOf(fleet, name) {
  const server = describeServer(fleet, name);
  if (!server.manifest.client) throw new Error(`${name} has no client`);
  return fillCommand(fleet, server, server.manifest.client.command, {});
}

function fillCommand(fleet, server, words, { mode, port }) {
  const { name } = server;
  if (!isInstalled(server)) throw new Error(`${name} is not installed; npm run fleet -- install ${name}`);
  copyFiles(server);
  const values = {
    node: process.execPath,
    python: '.venv/bin/python',
    mode,
    port: port === undefined ? undefined : String(port),
    folder: server.installed,
  };
  const fill = (text) => text.replaceAll(/\{(\w+)\}/g, (_, key) => values[key]);
  const isGiven = (word) => port !== undefined || word !== '{port}';
  const command = words.filter(isGiven).map(fill);
  if (command[0].includes('/')) command[0] = resolve(server.installed, command[0]);
  const env = plainEnv();
  for (const [key, text] of Object.entries(server.manifest.env ?? {})) env[key] = fill(text);
  return { command, cwd: server.installed, env };
}

// A server of the fleet is given what it needs and no more: one of them has a tool that prints its environment.
function plainEnv() {
  const wanted = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ'];
  return Object.fromEntries(wanted.filter((key) => process.env[key]).map((key) => [key, process.env[key]]));
}

/**
 * Starts a server: `{ name, mode, url, pid, logFile, stop() }`. It ends with this process unless `keep` is set; `mode` is its first and
 * `port` any free one unless given.
 */
export async function startServer(fleet, name, { keep = false, port, mode: modeName } = {}) {
  const mode = describeMode(describeServer(fleet, name).manifest, name, modeName);
  if (mode.transport === 'stdio') throw new Error(`${name} over stdio is started by whoever speaks with it`);
  let failure;
  // A free port can be taken before the server gets to it.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = await tryStart(fleet, name, mode, port);
    if (started.pid !== undefined) return running(fleet, started, keep);
    failure = started.failure;
    if (!/address already in use|EADDRINUSE/i.test(failure)) break;
  }
  throw new Error(failure);
}

async function tryStart(fleet, name, mode, port) {
  const { command, cwd, env, url } = commandOf(fleet, name, port ?? (await freePort()), mode.name);
  const logFile = join(fleet.home, `${name}-${mode.name}.log`);
  const child = spawnGroup({ command, cwd, env, logFile });
  const { pid } = child;
  let ended = pid === undefined;
  child.on('error', () => (ended = true));
  child.on('exit', () => (ended = true));
  const release = endWithProcess(pid);
  const { transport } = mode;
  if (await awaitServer(url, { transport, limitMs: readyLimitMs, hasEnded: () => ended })) {
    child.unref();
    return { name, mode: mode.name, url, pid, logFile, release };
  }
  const why = ended ? 'ended before it answered' : `did not answer within ${readyLimitMs / 1000} s`;
  if (pid !== undefined) await stopGroup(pid);
  release();
  return { failure: `${name} ${why}: ${tailOf(logFile)}` };
}

function running(fleet, { name, mode, url, pid, logFile, release }, keep) {
  const forget = noteRunning(fleet, { name, mode, pid, url });
  if (keep) release();
  const stop = async () => {
    await stopGroup(pid);
    release();
    forget();
  };
  return { name, mode, url, pid, logFile, stop };
}
