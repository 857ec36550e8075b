// The official conformance suite of MCP and the Node that it needs, installed from the registry beside the fleet.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { fleetHome } from '../fleet/fleet.mjs';
import { fetchNode } from '../packed/fetch-node.mjs';
import { runLimited } from '../packed/run-limited.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), 'suite');
const nodeMajor = 22;

/** The installed suite with its version, what a revision requires, and how to run it; or the reason why there is none. */
export async function installSuite(limitMs) {
  const home = join(fleetHome, 'conformance');
  const { bin, missing } = await nodeFor(home, limitMs);
  if (missing !== undefined) return { missing: `Node ${nodeMajor} cannot be had: ${missing}` };
  const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };
  const failed = await installLocked(home, { env, limitMs });
  if (failed !== undefined) return { missing: `the suite cannot be had: ${failed}` };
  const installed = join(home, 'node_modules', '@modelcontextprotocol', 'conformance');
  return {
    version: JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version,
    requirements: (revision) => readRequirements(join(installed, 'requirements', `${revision}.yaml`)),
    run: (words, options) =>
      runLimited(join(bin, 'node'), [join(installed, 'dist', 'index.js'), ...words], options),
  };
}

// Its own where that is new enough.
async function nodeFor(home, limitMs) {
  const own = Number(process.versions.node.split('.')[0]);
  return own >= nodeMajor
    ? { bin: dirname(process.execPath) }
    : fetchNode(nodeMajor, join(home, 'node'), limitMs);
}

async function installLocked(home, { env, limitMs }) {
  const stamp = join(home, '.installed-from');
  const want = createHash('sha256')
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return undefined;
  rmSync(stamp, { force: true });
  mkdirSync(home, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(here, name), join(home, name));
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runLimited('npm', words, { cwd: home, env, limitMs });
  if (code !== 0) return output.match(/npm error .*/)?.[0] ?? `npm ci failed (${code})`;
  writeFileSync(stamp, want);
  return undefined;
}

/** What a revision requires of servers and clients, by scenario, and what the suite runs besides. */
function readRequirements(file) {
  const { server, client, not_scored: others } = parse(readFileSync(file, 'utf8'));
  const unscored = (leg) => others.filter((each) => each.leg === leg).map(({ scenario }) => scenario);
  return {
    server,
    client,
    unscored: { server: unscored('server'), client: unscored('client') },
  };
}
