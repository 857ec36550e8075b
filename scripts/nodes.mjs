// The package as users have it, on every living Node but this one: packed, installed into an empty project, started, and a run over each
// transport. `node scripts/nodes.mjs [--within SECONDS]`; a version that the registry does not have for this platform is skipped by name.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fetchNode } from './packed/fetch-node.mjs';
import { pack } from './packed/pack.mjs';
import { runLimited } from './packed/run-limited.mjs';
import { ensureBuilt } from './ready.mjs';

const living = [20, 22, 24, 26];
// By name: what `run` is told besides the scenario.
const transports = { sse: [] };
const quiet = ['--no-audit', '--no-fund', '--loglevel=warn'];
const nativeModule = 'uWebSockets.js@npm:uws-pack@20.0.8';
// As a library, with the engine that there must be.
const serve = (engine) => `
  import { serveMock } from 'mcp-bench';
  const mock = await serveMock();
  const { sessions } = await mock.stats();
  await mock.close();
  if (sessions.opened !== 0) throw new Error('not the stats of a new mock');
  if (mock.engine !== '${engine}') throw new Error('the mock runs on ' + mock.engine);
`;
const flag = process.argv.indexOf('--within');
const withinMs = (flag === -1 ? 120 : Number(process.argv[flag + 1])) * 1000;
const counts = { passed: 0, failed: 0, skipped: 0 };

ensureBuilt();
const endsAt = Date.now() + withinMs;
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-nodes-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const own = Number(process.versions.node.split('.')[0]);
const majors = living.filter((major) => major !== own);
const tarball = await pack(folder, limitMs());
const nodes = await Promise.all(
  majors.map((major) => fetchNode(major, join(folder, `node${major}`), limitMs())),
);
for (const [index, major] of majors.entries()) await tryNode(major, nodes[index]);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function tryNode(major, { bin, missing }) {
  const project = join(folder, `project${major}`);
  // First on the path: then npm too runs on it, and judges `engines` by it.
  const at = { cwd: project, env: { ...process.env, PATH: bin + delimiter + process.env.PATH } };
  const steps = stepsFor(major, at);
  if (missing !== undefined) return skip(major, steps, missing);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  for (const [index, { name, take }] of steps.entries()) {
    if (Date.now() > endsAt) return skip(major, steps.slice(index), `${withinMs / 1000} s are over`);
    const { code, output } = await take();
    if (code === 0) counts.passed++;
    else counts.failed++;
    console.log(`node ${major}: ${name}: ${code === 0 ? 'ok' : `FAILED (${code})\n${output}`}`);
    // What is not installed cannot run.
    if (index === 0 && code !== 0) return skip(major, steps.slice(1), 'it is not installed');
  }
}

function stepsFor(major, at) {
  const mcpBench = join('node_modules', '.bin', 'mcp-bench');
  const smoke = join('node_modules', 'mcp-bench', 'scenarios', 'smoke.yaml');
  const library = (engine) => run('node', ['--input-type=module', '-e', serve(engine)], at);
  const runs = Object.entries(transports).map(([name, said]) => ({
    name: `a run over ${name}`,
    take: () => run(mcpBench, ['run', smoke, ...said, '--out', 'result.json'], at),
  }));
  return [
    { name: 'installs and starts', take: () => install(mcpBench, at) },
    { name: 'serves as a library', take: () => library('node') },
    ...runs,
    {
      name: 'uses an installed uWebSockets.js where it loads',
      take: async () => {
        const installed = await run('npm', ['install', ...quiet, nativeModule], at);
        return installed.code === 0 ? library(major <= 22 ? 'uws' : 'node') : installed;
      },
    },
  ];
}

async function install(mcpBench, at) {
  const installed = await run('npm', ['install', ...quiet, tarball], at);
  if (installed.code !== 0) return installed;
  if (installed.output.includes('EBADENGINE')) return { code: 1, output: installed.output };
  return run(mcpBench, ['--version'], at);
}

function skip(major, steps, why) {
  counts.skipped += steps.length;
  for (const { name } of steps) console.log(`node ${major}: ${name}: skipped: ${why}`);
}

function run(command, args, options = {}) {
  return runLimited(command, args, { ...options, limitMs: limitMs() });
}

// At least so long that a step which began in time can end.
function limitMs() {
  return Math.max(endsAt - Date.now(), 30_000);
}
