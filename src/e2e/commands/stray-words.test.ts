import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 60_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-words-'));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(
  join(cwd, 's.yaml'),
  'sessions: 1\nload: { model: count, calls: 1 }\ncalls: [{ method: ping }]\n',
);

// Whatever is not refused would do something here: run, listen, write a file. The limit ends it.
const limited = (program: readonly string[]): string[] => ['timeout', '20', ...program];

const nobody = 'http://127.0.0.1:1/sse';
const complete: Record<string, string[]> = {
  run: ['s.yaml', '--dry-run'],
  scenarios: ['burst'],
  report: ['r.json'],
  compare: ['a.json', '--against', 'b.json'],
  history: ['s'],
  calibrate: ['s.yaml', '--runs', '5'],
  'serve-mock': ['--port', '0'],
  probe: [nobody],
  init: [nobody],
  versus: ['t.yaml', 's.yaml', '--dry-run'],
  completion: ['bash'],
  ceiling: [nobody],
};

// These start the server whose command it is.
const starters = ['run', 'calibrate', 'probe', 'init'];

test.each(Object.entries(complete))('%s takes nothing after --', async (command, args) => {
  for (const rest of [...(starters.includes(command) ? [] : [['--', 'node', 'server.js']]), ['--']]) {
    const outcome = await mcpBench([command, ...args, ...rest], { cwd, wrap: limited });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^mcp-bench: .*"--".*\n$/);
  }
});

test.each(Object.entries(complete).filter(([command]) => command !== 'compare'))(
  '%s takes no word too many',
  async (command, [first, ...flags]) => {
    const words = first!.startsWith('-') ? ['surplus', first!] : [first!, 'surplus'];
    const more = command === 'versus' ? ['s.yaml', 'surplus', '--dry-run'] : [];
    const args = command === 'versus' ? [first!, ...more] : [...words, ...flags];
    const outcome = await mcpBench([command, ...args], { cwd, wrap: limited });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^mcp-bench: .*surplus.*\n$/);
  },
);

test('nothing comes before or instead of the command', async () => {
  for (const args of [['--', 'run', 's.yaml'], ['--'], ['surplus']]) {
    const outcome = await mcpBench(args, { cwd, wrap: limited });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^mcp-bench: /);
  }
});
