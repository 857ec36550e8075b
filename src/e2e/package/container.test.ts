import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageVersion } from '../../version.js';

// Without a container engine the Dockerfile and compose.yaml are followed by hand: their own commands, run by a shell, with a folder as the image's root.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const instructions = dockerfile
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^([A-Z]+) (.*)$/.exec(line)!)
  .map(([, name, rest]) => ({ name: name!, rest: rest! }));
const commands = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

interface Service {
  command: string[];
  healthcheck?: { test: string[] };
}
const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')) as {
  services: { mock: Service; bench: Service };
};

let image: string;
let mock: ChildProcess | null = null;

/** A command of the image, with its paths in our folder; the folder takes npm's global packages, too. */
function inImage(command: string, cwd: string): void {
  const mapped = command.replace(/(?<![\w.])\/(packed|bench)\b/g, join(image, '$1'));
  const { status, stdout, stderr } = spawnSync('sh', ['-c', mapped], {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, npm_config_prefix: join(image, 'usr'), npm_config_prefer_offline: 'true' },
  });
  expect(status, `${mapped}\n${stdout}${stderr}`).toBe(0);
}

const installed = (): string => join(image, 'usr', 'bin', 'mcp-bench');

beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), 'mcp-bench-image-'));
  // The first stage's `npm ci` and `npm run build` have been done where this test runs: on the built checkout.
  const [packing, ...others] = commands('RUN').filter((command) => !/^npm (ci|run build)\b/.test(command));
  inImage(packing!, root);
  // Who owns a folder is the image's matter.
  for (const command of others) inImage(command.replace(/ && chown .*$/, ''), image);
}, 240_000);
afterAll(() => {
  mock?.kill('SIGKILL');
  rmSync(image, { recursive: true, force: true });
});

test('the image is built in stages, and does not run as root', () => {
  expect(commands('FROM')).toHaveLength(2);
  const user = instructions.findIndex(({ name }) => name === 'USER');
  expect(instructions[user]!.rest).toBe('node');
  expect(instructions.slice(user).some(({ name }) => name === 'RUN')).toBe(false);
});

test('the image has the command that it starts, and nothing of the build', () => {
  const [entry] = JSON.parse(commands('ENTRYPOINT')[0]!) as string[];
  expect(entry).toBe('mcp-bench');
  const { stdout } = spawnSync(installed(), ['--version'], { encoding: 'utf8' });
  expect(stdout).toBe(`${packageVersion()}\n`);
  const modules = readdirSync(join(image, 'usr', 'lib', 'node_modules', 'mcp-bench', 'node_modules'));
  expect(modules).toContain('yargs');
  for (const surplus of ['typescript', 'vitest', 'playwright-core', 'uWebSockets.js'])
    expect(modules).not.toContain(surplus);
  expect(existsSync(join(image, 'packed'))).toBe(false);
});

test('compose: the mock gets healthy, and the run against it passes', async () => {
  const bench = join(image, 'bench');
  mkdirSync(bench, { recursive: true });
  // On this machine the mock may only be reached from itself, on a port that is free.
  const serve = compose.services.mock.command.join(' ').replace('0.0.0.0', '127.0.0.1').replace('8765', '0');
  mock = spawn(installed(), serve.split(' '), { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    mock!.stdout!.once('data', (line: Buffer) => resolve(/http:\/\/\S+/.exec(line.toString())![0]));
  });
  const { port } = new URL(url);
  const [kind, program, ...args] = compose.services.mock.healthcheck!.test;
  expect(kind).toBe('CMD');
  const here = (word: string): string => word.replace(/(127\.0\.0\.1|mock):8765/, `127.0.0.1:${port}`);
  expect(spawnSync(program!, args.map(here)).status).toBe(0);
  const run = compose.services.bench.command.map(here);
  const outcome = spawnSync(
    installed(),
    [...run.map((word) => word.replace(/^scenarios\//, `${root}scenarios/`)), '--duration', '500ms'],
    { cwd: bench, encoding: 'utf8' },
  );
  expect(outcome.status, outcome.stdout + outcome.stderr).toBe(0);
  expect(existsSync(join(bench, 'results', 'smoke.json'))).toBe(true);
});
