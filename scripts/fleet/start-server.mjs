// Starts an installed server on a free port and waits until its stream answers.
import { join, resolve } from 'node:path';
import { awaitStream, freePort } from './await-stream.mjs';
import { copyFiles, describeServer, tailOf } from './describe-server.mjs';
import { isInstalled } from './install-server.mjs';
import { endWithProcess, spawnGroup, stopGroup } from './process-group.mjs';
import { noteRunning } from './running-servers.mjs';

const readyLimitMs = 60_000;

/** How to start an installed server on a port: `{ command, cwd, env, url }`; `env` is its whole environment. */
export function commandOf(fleet, name, port) {
  const server = describeServer(fleet, name);
  if (!isInstalled(server)) throw new Error(`${name} is not installed; npm run fleet -- install ${name}`);
  copyFiles(server);
  const values = {
    node: process.execPath,
    python: '.venv/bin/python',
    port: String(port),
    folder: server.installed,
  };
  const fill = (text) => text.replaceAll(/\{(\w+)\}/g, (_, key) => values[key]);
  const command = server.manifest.command.map(fill);
  if (command[0].includes('/')) command[0] = resolve(server.installed, command[0]);
  const env = plainEnv();
  for (const [key, text] of Object.entries(server.manifest.env ?? {})) env[key] = fill(text);
  return { command, cwd: server.installed, env, url: `http://127.0.0.1:${port}${server.manifest.path}` };
}

// A server of the fleet is given what it needs and no more: one of them has a tool that prints its environment.
function plainEnv() {
  const wanted = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ'];
  return Object.fromEntries(wanted.filter((key) => process.env[key]).map((key) => [key, process.env[key]]));
}

/** Starts a server: `{ name, url, pid, logFile, stop() }`. It ends with this process unless `keep` is set; `port` is any free one unless given. */
export async function startServer(fleet, name, { keep = false, port } = {}) {
  let failure;
  // A free port can be taken before the server gets to it.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = await tryStart(fleet, name, port);
    if (started.pid !== undefined) return running(fleet, started, keep);
    failure = started.failure;
    if (!/address already in use|EADDRINUSE/i.test(failure)) break;
  }
  throw new Error(failure);
}

async function tryStart(fleet, name, port) {
  const { command, cwd, env, url } = commandOf(fleet, name, port ?? (await freePort()));
  const logFile = join(fleet.home, `${name}.log`);
  const child = spawnGroup({ command, cwd, env, logFile });
  const { pid } = child;
  let ended = pid === undefined;
  child.on('error', () => (ended = true));
  child.on('exit', () => (ended = true));
  const release = endWithProcess(pid);
  if (await awaitStream(url, { limitMs: readyLimitMs, hasEnded: () => ended })) {
    child.unref();
    return { name, url, pid, logFile, release };
  }
  const why = ended ? 'ended before its stream answered' : `did not answer within ${readyLimitMs / 1000} s`;
  if (pid !== undefined) await stopGroup(pid);
  release();
  return { failure: `${name} ${why}: ${tailOf(logFile)}` };
}

function running(fleet, { name, url, pid, logFile, release }, keep) {
  const forget = noteRunning(fleet, { name, pid, url });
  if (keep) release();
  const stop = async () => {
    await stopGroup(pid);
    release();
    forget();
  };
  return { name, url, pid, logFile, stop };
}
