// How a server of each kind is built from its pins: which tools that takes, and whether this machine has them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pythons = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/** The tools that a manifest's kind needs: `{ tools }` with a path or version each, or `{ reason }` for what is missing. */
export function findToolchain(manifest, env = process.env) {
  if (process.platform === 'win32')
    return { reason: 'the fleet needs process groups, which Windows has not' };
  if (manifest.kind === 'python') return findPython(manifest.minPython ?? '3.10', env);
  const probe = { npm: ['npm', '--version'], rust: ['cargo', '--version'], go: ['go', 'version'] }[
    manifest.kind
  ];
  if (!probe) return { tools: {} };
  const found = outputOf(probe, env);
  return found === undefined
    ? { reason: `${probe[0]} is not on the PATH` }
    : { tools: { [probe[0]]: found } };
}

function findPython(wanted, env) {
  const script = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])';
  const seen = [];
  for (const python of pythons) {
    const version = outputOf([python, '-c', script], env);
    if (version === undefined) continue;
    if (atLeast(version, wanted)) return { tools: { python } };
    seen.push(version);
  }
  const others = seen.length > 0 ? ` (found ${[...new Set(seen)].join(', ')})` : '';
  return { reason: `no Python ${wanted} or newer with venv and ensurepip is on the PATH${others}` };
}

function atLeast(version, wanted) {
  const [major, minor] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function outputOf([command, ...args], env) {
  const done = spawnSync(command, args, { env, encoding: 'utf8', timeout: 20_000 });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

/** The steps that build the server in `folder`: commands, or functions to run between them. */
export function installSteps(manifest, folder, tools) {
  if (manifest.kind === 'npm') return [['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']];
  if (manifest.kind === 'go') return [['go', 'build', '-o', 'bin/server', '.']];
  if (manifest.kind === 'python')
    return [
      [tools.python, '-m', 'venv', '--clear', '.venv'],
      ['.venv/bin/python', '-m', 'pip', 'install', '--quiet', '--no-input', '-r', 'requirements.txt'],
    ];
  if (manifest.kind === 'rust')
    return [
      ['cargo', 'generate-lockfile', '--quiet'],
      () => restoreCargoLock(folder),
      ['cargo', 'build', '--release', '--locked', '--quiet'],
    ];
  return [];
}

// Cargo's lock file names its registry on every line; ours does not, so the name comes from a lock that cargo just wrote itself.
function restoreCargoLock(folder) {
  const source = /^source = .*$/m.exec(readFileSync(join(folder, 'Cargo.lock'), 'utf8'))?.[0];
  if (!source) throw new Error('cargo wrote a lock file without a registry');
  const pins = readFileSync(join(folder, 'pins.lock'), 'utf8');
  writeFileSync(join(folder, 'Cargo.lock'), pins.replaceAll('source = "registry"', source));
}

/** The version of the library that a server's folder pins; throws where it pins none. */
export function pinnedVersion(manifest, folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const escaped = manifest.library.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const found = {
    npm: () => JSON.parse(read('package.json')).dependencies[manifest.library],
    python: () => new RegExp(`^${escaped}==(.+)$`, 'm').exec(read('requirements.txt'))?.[1],
    rust: () => new RegExp(`^${escaped} = .*"=([0-9.]+)"`, 'm').exec(read('Cargo.toml'))?.[1],
    go: () => new RegExp(`${escaped} v([0-9.]+)`).exec(read('go.mod'))?.[1],
    none: () => '0.0.0',
  }[manifest.kind]?.();
  if (!found || !/^[0-9]/.test(found)) throw new Error(`${folder} does not pin ${manifest.library}`);
  return found;
}

/** Whether a change to this file of a server means building it again, rather than just copying it. */
export function isBuildInput(manifest, file) {
  if (manifest.kind === 'npm') return file === 'package.json' || file === 'package-lock.json';
  if (manifest.kind === 'python') return file === 'requirements.txt';
  return file !== 'fleet.json';
}

/** Whether the last thing that a build of this kind makes is there. */
export function isBuilt(manifest, folder) {
  const made = { npm: 'node_modules', python: '.venv/bin/python', rust: 'target/release', go: 'bin/server' };
  return !(manifest.kind in made) || existsSync(join(folder, made[manifest.kind]));
}
