// Brings a checkout to the state where it can run, with Node and npm alone; does nothing where nothing is missing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installStamp = join(root, 'node_modules', '.installed-from');
const buildStamp = join(root, 'dist', '.built-from');
const cli = join(root, 'dist', 'src', 'cli', 'main.js');
const bundleWorker = join(root, 'scripts', 'bundle-worker.mjs');

/** Runs a command in the checkout and returns its exit code; its output goes where ours goes. */
export function runCommand(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) throw done.error;
  return done.status ?? 1;
}

/** Runs a program of node_modules/.bin and returns its exit code. */
export function runTool(name, args, options = {}) {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  return runCommand(join(root, 'node_modules', '.bin', name + suffix), args, {
    shell: process.platform === 'win32',
    ...options,
  });
}

/** Installs the locked dependencies unless node_modules already comes from this very lock file. */
export function ensureInstalled() {
  const want = hashFiles([join(root, 'package-lock.json')]) + ' ' + process.version;
  if (readIfThere(installStamp) === want) return;
  console.error('mcp-bench: installing dependencies (npm ci)…');
  const code = runCommand('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) fail('npm ci failed: see above. Is a package registry reachable?', code);
  writeFileSync(installStamp, want);
}

/** Compiles into dist/ unless dist/ already comes from these very sources. */
export function ensureBuilt() {
  ensureInstalled();
  const want = hashFiles([...sources(), join(root, 'package-lock.json')]);
  if (readIfThere(buildStamp) === want && existsSync(cli) && existsSync(commandLink())) return;
  console.error('mcp-bench: building…');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const code = runTool('tsc', ['-p', 'tsconfig.build.json']);
  if (code !== 0) fail('the build failed: see above', code);
  const bundled = runCommand(process.execPath, [bundleWorker]);
  if (bundled !== 0) fail('the worker could not be bundled: see above', bundled);
  copyPageAssets();
  chmodSync(cli, 0o755);
  linkCommand();
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, want);
}

// Scripts and style of the HTML reports go into the pages as they are.
function copyPageAssets() {
  const page = join('src', 'report', 'page', 'browser');
  cpSync(join(root, page), join(root, 'dist', page), {
    recursive: true,
    filter: (path) => !path.endsWith('.json'),
  });
}

// So that `npx mcp-bench` finds this checkout's own command: npm links the commands of dependencies only.
function linkCommand() {
  const link = commandLink();
  rmSync(link, { force: true });
  if (process.platform === 'win32') writeFileSync(link, `@node "${cli}" %*\r\n`);
  else symlinkSync(cli, link);
}

function commandLink() {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'mcp-bench.cmd' : 'mcp-bench');
}

function sources() {
  const configs = ['tsconfig.json', 'tsconfig.build.json', 'package.json'];
  const found = [...configs.map((name) => join(root, name)), bundleWorker];
  for (const folder of ['src', 'mock-server', 'scripts']) walk(join(root, folder), found);
  return found;
}

function walk(folder, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name === 'node_modules' || entry.name === 'target') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, found);
    else if (/\.(ts|js|css)$/.test(entry.name) && !entry.name.endsWith('.test.ts')) found.push(path);
  }
}

function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Says what went wrong in one line and ends the process. */
export function fail(message, code = 1) {
  console.error(`mcp-bench: ${message}`);
  process.exit(code || 1);
}
