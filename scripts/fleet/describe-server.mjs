// What a server's folder says of it: its manifest, its files, and a hash of those that its build is made from.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isBuildInput } from './toolchain.mjs';

/** The names of all servers in the fleet's folder, sorted. */
export function serverNames({ folder }) {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'fleet.json')))
    .sort();
}

/** A server's manifest and files, and the folder that it is installed in. Throws where the fleet has no such server. */
export function describeServer(fleet, name) {
  const names = serverNames(fleet);
  if (!names.includes(name))
    throw new Error(`no server "${name}" in the fleet; there are ${names.join(', ')}`);
  const source = join(fleet.folder, name);
  const manifest = JSON.parse(readFileSync(join(source, 'fleet.json'), 'utf8'));
  return {
    name,
    source,
    installed: join(fleet.home, name),
    manifest,
    files: filesOf(source, manifest.borrows ?? []),
  };
}

/** The modes of a server, the first of which is its default: HTTP+SSE alone where its manifest names none. */
export function modesOf({ modes, path, command }) {
  const given = modes ?? { sse: { transport: 'sse', path } };
  return Object.entries(given).map(([name, mode]) => ({ name, command, ...mode }));
}

/** One mode of a server, its first unless named. Throws where it has no such mode. */
export function describeMode(manifest, name, wanted) {
  const modes = modesOf(manifest);
  const found = wanted === undefined ? modes[0] : modes.find((mode) => mode.name === wanted);
  if (!found)
    throw new Error(`${name} has no mode "${wanted}"; it has ${modes.map((mode) => mode.name).join(', ')}`);
  return found;
}

function filesOf(source, borrows) {
  const own = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((from) => ({ from, to: from.slice(source.length + 1) }));
  const borrowed = borrows.map((path) => ({ from: join(source, path), to: basename(path) }));
  return [...own, ...borrowed].sort((a, b) => (a.to < b.to ? -1 : 1));
}

/** Copies a server's files to where its libraries are installed, which is where Node looks for them. */
export function copyFiles({ files, installed }) {
  for (const { from, to } of files) cpSync(from, join(installed, to));
}

/** A hash over the files that a server is built from: while it stays the same, what was built is up to date. */
export function buildHash({ manifest, files }) {
  const hash = createHash('sha256');
  for (const { from, to } of files.filter(({ to }) => isBuildInput(manifest, to)))
    hash.update(to).update('\0').update(readFileSync(from)).update('\0');
  return hash.digest('hex');
}

/** The last lines of a log file, in one. */
export function tailOf(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.slice(-5).join(' | ').slice(-600) || 'it said nothing';
}
