// Puts a server's pinned libraries into its folder under the fleet's home.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildHash, copyFiles, describeServer, tailOf } from './describe-server.mjs';
import { findToolchain, installSteps, isBuilt } from './toolchain.mjs';

const stepLimitMs = 20 * 60_000;

/** Installs a server unless it already is; what the machine lacks becomes the reason of a skip, never an exception. */
export async function installServer(fleet, name, { env = process.env } = {}) {
  const server = describeServer(fleet, name);
  const startMs = performance.now();
  const done = (state, reason) => ({ name, state, reason, tookMs: Math.round(performance.now() - startMs) });
  if (isInstalled(server)) return done('present');
  const { tools, reason } = findToolchain(server.manifest, env);
  if (reason) return done('skipped', reason);
  const failure = await build(fleet, server, tools, env);
  return failure ? done('skipped', failure) : done('installed');
}

/** Whether a server is installed from the very pins that its folder has now. */
export function isInstalled(server) {
  const stamp = stampOf(server);
  const upToDate = existsSync(stamp) && readFileSync(stamp, 'utf8') === buildHash(server);
  return upToDate && isBuilt(server.manifest, server.installed);
}

function stampOf(server) {
  return join(server.installed, '.installed-from');
}

async function build(fleet, server, tools, env) {
  rmSync(stampOf(server), { force: true });
  mkdirSync(server.installed, { recursive: true });
  copyFiles(server);
  const logFile = join(fleet.home, `${server.name}.install.log`);
  writeFileSync(logFile, '');
  for (const step of installSteps(server.manifest, server.installed, tools)) {
    const failure = await runStep(step, server.installed, env, logFile);
    if (failure) return failure;
  }
  writeFileSync(stampOf(server), buildHash(server));
  return undefined;
}

async function runStep(step, cwd, env, logFile) {
  if (typeof step === 'function') return step();
  const [command, ...args] = step;
  const file = command.includes('/') ? resolve(cwd, command) : command;
  const log = openSync(logFile, 'a');
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', log, log], timeout: stepLimitMs });
  closeSync(log);
  const code = await new Promise((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (status, signal) => done(status ?? signal));
  });
  return code === 0 ? undefined : `${step.slice(0, 4).join(' ')} failed (${code}): ${complaintIn(logFile)}`;
}

// The first lines that speak of an error say what is wrong; what follows them is mostly advice.
function complaintIn(logFile) {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const complaints = lines.filter((line) => /error[ :[]+\S/i.test(line)).slice(0, 4);
  return complaints.join(' | ').slice(0, 600) || tailOf(logFile);
}
