// Puts a server's pinned libraries into its folder under the fleet's home.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildHash, copyFiles, describeServer, tailOf } from './describe-server.mjs';
import { endWithProcess, spawnGroup, stopGroup } from './process-group.mjs';
import { findToolchain, installSteps, isBuilt } from './toolchain.mjs';

const defaultLimitMs = 10 * 60_000;

/**
 * Installs a server unless it already is, within `limitMs`; what the machine lacks, time included, becomes the reason of a skip,
 * never an exception.
 */
export async function installServer(fleet, name, { env = process.env, limitMs = defaultLimitMs } = {}) {
  const server = describeServer(fleet, name);
  const startMs = performance.now();
  const done = (state, reason) => ({ name, state, reason, tookMs: Math.round(performance.now() - startMs) });
  if (isInstalled(server)) return done('present');
  const { tools, reason } = findToolchain(server.manifest, env);
  if (reason) return done('skipped', reason);
  const failure =
    limitMs > 0
      ? await build(fleet, server, tools, { env, endMs: startMs + limitMs, limitMs })
      : 'no time was left to install it';
  noteFailure(fleet, name, failure);
  return failure ? done('skipped', failure) : done('installed');
}

/** Why a server is not there: its tools are missing, installing it failed, or nobody tried; undefined where it is installed. */
export function whyMissing(fleet, name, { env = process.env } = {}) {
  const server = describeServer(fleet, name);
  if (isInstalled(server)) return undefined;
  const failed = failureNote(fleet, name);
  return (
    findToolchain(server.manifest, env).reason ??
    (existsSync(failed) ? readFileSync(failed, 'utf8') : `not installed; npm run fleet -- install ${name}`)
  );
}

function failureNote(fleet, name) {
  return join(fleet.home, `${name}.install.failed`);
}

function noteFailure(fleet, name, failure) {
  mkdirSync(fleet.home, { recursive: true });
  if (failure) writeFileSync(failureNote(fleet, name), failure);
  else rmSync(failureNote(fleet, name), { force: true });
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

async function build(fleet, server, tools, limits) {
  rmSync(stampOf(server), { force: true });
  mkdirSync(server.installed, { recursive: true });
  copyFiles(server);
  const logFile = join(fleet.home, `${server.name}.install.log`);
  writeFileSync(logFile, '');
  for (const step of installSteps(server.manifest, server.installed, tools)) {
    const failure = await runStep(step, server.installed, limits, logFile);
    if (failure) return failure;
  }
  writeFileSync(stampOf(server), buildHash(server));
  return undefined;
}

async function runStep(step, cwd, { env, endMs, limitMs }, logFile) {
  if (typeof step === 'function') return step();
  const [command, ...args] = step;
  const file = command.includes('/') ? resolve(cwd, command) : command;
  // A compiler or an npm script is a grandchild: only ending the whole group ends the step.
  const child = spawnGroup({ command: [file, ...args], cwd, env, logFile, append: true });
  const release = endWithProcess(child.pid);
  let stopped;
  const timer = setTimeout(() => {
    stopped = stopGroup(child.pid);
  }, endMs - performance.now());
  const code = await new Promise((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (status, signal) => done(status ?? signal));
  });
  clearTimeout(timer);
  await stopped;
  release();
  const words = step.slice(0, 4).join(' ');
  if (stopped) return `${words} was not done within the ${Math.round(limitMs / 1000)} s given to it`;
  return code === 0 ? undefined : `${words} failed (${code}): ${complaintIn(logFile)}`;
}

// The first lines that speak of an error say what is wrong; what follows them is mostly advice.
function complaintIn(logFile) {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const complaints = lines.filter((line) => /error[ :[]+\S/i.test(line)).slice(0, 4);
  return complaints.join(' | ').slice(0, 600) || tailOf(logFile);
}
