// `npm run conformance [scenarios…] [--leg server|client] [--within SECONDS]`: the official conformance suite of MCP against the mock, on each engine, and against the
// packed `mcp-bench` as a client, for each revision that the suite has requirements for. Closes with one line that counts.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mocks, startMock } from './conformance-mock.mjs';
import { installSuite } from './suite.mjs';
import { judge, readExpected, unknownEntries } from './verdict.mjs';
import { pack } from '../packed/pack.mjs';
import { runLimited } from '../packed/run-limited.mjs';
import { ensureBuilt, fail } from '../ready.mjs';

const revisions = ['2025-11-25', '2026-07-28'];
const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: wanted } = parseArgs({
  options: { within: { type: 'string', default: '300' }, leg: { type: 'string' } },
  allowPositionals: true,
});
const withinSec = Number(values.within);
if (![undefined, 'server', 'client'].includes(values.leg)) fail('--leg: expected server or client', 2);
if (!(withinSec > 0)) fail('--within: expected a number of seconds', 2);
const endsAt = Date.now() + withinSec * 1000;
const counts = { passed: 0, failed: 0, skipped: 0 };

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-conformance-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const expected = readExpected(readFileSync(join(here, 'expected-failures.yml'), 'utf8'));
const suite = await installSuite(limitMs());
if (suite.missing === undefined) await runAll();
else skip('the conformance suite', suite.missing);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function runAll() {
  const required = new Map(revisions.map((revision) => [revision, suite.requirements(revision)]));
  console.log(`@modelcontextprotocol/conformance ${suite.version}`);
  const legs = values.leg === undefined ? ['server', 'client'] : [values.leg];
  if (legs.includes('server')) for (const mock of mocks) await testServer(mock, required);
  if (legs.includes('client')) {
    const mcpBench = await installPackage();
    for (const [revision, { client }] of required) await testClient(mcpBench, revision, chosen(client));
  }
  if (wanted.length > 0) return;
  for (const leg of legs) {
    const known = [...required.values()].flatMap((each) => each[leg]);
    for (const name of unknownEntries(expected[leg], known))
      count(
        { verdict: 'failed', lines: ['is listed as an expected failure, and not required: take it out'] },
        name,
      );
  }
}

async function testServer(kind, required) {
  const { mock, missing } = await startMock(kind);
  if (missing !== undefined) return skip(`the mock (${kind.name})`, missing);
  try {
    for (const [revision, { server, unscored }] of required) {
      const out = join(folder, `${kind.name}-${revision}`);
      const scenarios = chosen([...server, ...unscored.server]);
      const output = await askServer(mock.url, revision, scenarios, out);
      for (const scenario of scenarios) {
        const outcome = { scenario, ...readChecks(out, `server-${scenario}`, output) };
        const name = `server ${revision} (${kind.name}): ${scenario}`;
        if (server.includes(scenario)) count(judge(outcome, expected.server), name);
        else mention(judge(outcome, new Map()), name);
      }
    }
  } finally {
    await mock.stop();
  }
}

// All that a revision requires, and what it does not, is one run of the suite.
async function askServer(url, revision, scenarios, out) {
  const words = ['server', '--url', url, '-o', out];
  if (wanted.length === 0)
    return (await suite.run([...words, '--requirements', revision], { limitMs: limitMs() })).output;
  const outputs = [];
  for (const scenario of scenarios) {
    const one = ['--scenario', scenario, '--spec-version', revision, '--force'];
    outputs.push((await suite.run([...words, ...one], { limitMs: limitMs() })).output);
  }
  return outputs.join('');
}

// Ours have a file each and run alone, since some measure time. The others are OAuth: a probe all at once, to see that they still fail.
async function testClient(mcpBench, revision, scenarios) {
  const own = scenarios.filter((scenario) => !scenario.startsWith('auth/'));
  for (const scenario of own) {
    const out = join(folder, `client-${revision}`);
    const words = ['client', '--command', commandFor(mcpBench, scenario), '--scenario', scenario];
    const done = await suite.run([...words, '--spec-version', revision, '-o', out], { limitMs: limitMs() });
    const outcome = readChecks(out, scenario, done.output);
    // What the checks do not say: that the client ended with an error, or not at all.
    if (done.code !== 0)
      outcome.complaint ??= /CLIENT (TIMED OUT|EXITED WITH ERROR).*/.exec(done.output)?.[0];
    count(judge({ scenario, ...outcome }, expected.client), `client ${revision}: ${scenario}`);
  }
  const others = scenarios.filter((scenario) => scenario.startsWith('auth/'));
  if (others.length === 0) return;
  const out = join(folder, `auth-${revision}`);
  const words = ['client', '--command', probeOf(mcpBench), '--requirements', revision];
  const { output } = await suite.run([...words, '-o', out], { limitMs: limitMs() });
  for (const scenario of others)
    count(
      judge({ scenario, ...readChecks(out, scenario, output) }, expected.client),
      `client ${revision}: ${scenario}`,
    );
}

function commandFor(mcpBench, scenario) {
  const file = join(here, 'client', `${scenario}.yaml`);
  return existsSync(file)
    ? `${mcpBench} run ${file} --out ${join(folder, 'result.json')} --target`
    : probeOf(mcpBench);
}

function probeOf(mcpBench) {
  return `${mcpBench} probe --calls 1 --listen 100ms --timeout 5s`;
}

// The suite adds the time to the name that it was given.
function readChecks(out, name, output) {
  const parent = dirname(join(out, name));
  const start = name.slice(name.lastIndexOf('/') + 1);
  const found = existsSync(parent)
    ? readdirSync(parent).find(
        (entry) => /^-\d{4}-/.test(entry.slice(start.length)) && entry.startsWith(start),
      )
    : undefined;
  if (found === undefined)
    return { checks: [], complaint: `the suite left no checks: ${output.trim().slice(-200)}` };
  const from = join(parent, found);
  const checks = JSON.parse(readFileSync(join(from, 'checks.json'), 'utf8'));
  rmSync(from, { recursive: true });
  return { checks };
}

async function installPackage() {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', await pack(folder, limitMs())];
  const { code, output } = await runLimited('npm', words, { cwd: project, limitMs: limitMs() });
  if (code !== 0) throw new Error(`the package cannot be installed:\n${output}`);
  // The suite itself runs on another Node, which comes first on its path.
  return `${process.execPath} ${join(project, 'node_modules', 'mcp-bench', 'dist', 'src', 'cli', 'main.js')}`;
}

function chosen(scenarios) {
  return wanted.length === 0 ? scenarios : scenarios.filter((scenario) => wanted.includes(scenario));
}

function count({ verdict, lines }, name) {
  if (verdict === 'left out') return skip(name, lines.join('; '));
  counts[verdict]++;
  console.log(`${name}: ${verdict}`);
  for (const line of lines) console.log(`  ${line}`);
}

// What a revision does not require is run too, and decides nothing.
function mention({ verdict, lines }, name) {
  console.log(`${name}: not required: ${verdict}${lines.length > 0 ? ` (${lines.length} checks)` : ''}`);
}

function skip(name, why) {
  counts.skipped++;
  console.log(`${name}: skipped: ${why}`);
}

// At least so long that what began in time can end.
function limitMs() {
  return Math.max(endsAt - Date.now(), 30_000);
}
