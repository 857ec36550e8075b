// Other Nodes than this one, from the npm registry.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runLimited } from './run-limited.mjs';

const quiet = ['--no-audit', '--no-fund', '--loglevel=warn'];

/** The folder with the newest `node` of a major version, installed below `prefix` unless it is there; or the reason why there is none. */
export async function fetchNode(major, prefix, limitMs) {
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(prefix, 'node_modules', name, 'bin');
  if (existsSync(join(bin, 'node'))) return { bin };
  mkdirSync(prefix, { recursive: true });
  const words = ['install', '--prefix', prefix, '--ignore-scripts', ...quiet, `${name}@${major}`];
  const { code, output } = await runLimited('npm', words, { limitMs });
  if (code === 0 && existsSync(join(bin, 'node'))) return { bin };
  return { missing: output.match(/npm error .*/)?.[0] ?? `${name}@${major} has no node` };
}
