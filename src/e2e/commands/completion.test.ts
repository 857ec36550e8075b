import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commands } from '../../cli/commands.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-completion-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const shells = ['bash', 'zsh', 'fish'] as const;
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
  for (const shell of shells) {
    const { code, stdout, stderr } = await mcpBench(['completion', shell], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    writeFileSync(join(cwd, `_mcp-bench.${shell}`), stdout);
  }
  writeFileSync(join(cwd, 'mine.yaml'), '');
});

/** What a shell offers for the last of the words. */
const offered = {
  bash: (words: readonly string[]): string[] => {
    const script = `source _mcp-bench.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_mcp_bench; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', script]);
  },
  fish: (words: readonly string[]): string[] =>
    run('fish', ['--no-config', '-c', `source _mcp-bench.fish; complete -C '${words.join(' ')}'`]).map(
      (line) => line.split('\t')[0]!,
    ),
};

function run(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: cwd },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

const names = commands.map(({ name }) => name);

test.each(['bash', 'fish'] as const)(
  '%s completes commands, flags, their words and stock scenarios',
  (shell) => {
    if (!has(shell)) return;
    const complete = offered[shell];
    expect(
      complete(['mcp-bench', ''])
        .filter((word) => names.includes(word))
        .sort(),
    ).toEqual([...names].sort());
    expect(complete(['mcp-bench', 'ver'])).toEqual(['versus']);
    expect(complete(['mcp-bench', 'run', '--in'])).toEqual(
      expect.arrayContaining(['--in-flight', '--insecure']),
    );
    expect(complete(['mcp-bench', 'run', '--transport', 'ss'])).toEqual(['sse']);
    expect(complete(['mcp-bench', 'run', 'sm'])).toEqual(['smoke']);
    expect(complete(['mcp-bench', 'run', 'mi'])).toEqual(expect.arrayContaining(['mine.yaml', 'mixed']));
    expect(complete(['mcp-bench', 'completion', ''])).toEqual(
      expect.arrayContaining(['bash', 'fish', 'zsh']),
    );
    expect(complete(['mcp-bench', 'run', '--out', 'mi'])).toEqual(['mine.yaml']);
  },
);

test.runIf(has('zsh'))('zsh reads its script, and registers it', () => {
  const script = `autoload -Uz compinit; compinit -D -u; source ./_mcp-bench.zsh; print $_comps[mcp-bench]; functions -c _mcp_bench copy`;
  expect(run('zsh', ['-f', '-c', script])).toEqual(['_mcp_bench']);
});

test.each(['completion bash', 'scenarios burst'])('%s: nobody need read what it prints', async (line) => {
  const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...line.split(' ')], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Long before it prints: the pipe has no reader then.
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
