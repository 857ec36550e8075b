import { expect, test } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { nextSteps } from './next-steps.js';

const result = (tool: string | null, args: object, callsPerSec: number): RunResult =>
  ({
    scenario: { operations: [{ tool, arguments: args }] },
    totals: { callsPerSec },
  }) as unknown as RunResult;

test('names lines to copy, at half the rate and quoted for a shell', () => {
  const text = nextSteps(result('get time', { zone: "it's" }, 1234), { target: 'http://h:1/(mcp)' });
  expect(text.split('\n')).toEqual([
    'Next',
    `  a rate it can keep up with    mcp-bench run --target 'http://h:1/(mcp)' --tool 'get time' --arguments '{"zone":"it'\\''s"}' --rate 500/s --duration 30s`,
    `  the same, kept as a scenario  mcp-bench run --target 'http://h:1/(mcp)' --tool 'get time' --arguments '{"zone":"it'\\''s"}' --save get-time.yaml`,
    `  a scenario from its tools     mcp-bench init 'http://h:1/(mcp)'`,
    `  what it speaks and supports   mcp-bench probe 'http://h:1/(mcp)'`,
    '',
  ]);
});

test('of a server that was only pinged there is nothing to keep', () => {
  const text = nextSteps(result(null, {}, 0.5), { target: 'http://h/mcp' });
  expect(text).toContain('mcp-bench run --target http://h/mcp --rate 1/s --duration 30s');
  expect(text).not.toContain('--save');
});

test('a server that is started comes last, as it was given', () => {
  const text = nextSteps(result('echo', {}, 100), { server: ['node', 'my server.js', '--x'] });
  expect(text).toContain("mcp-bench run --tool echo --rate 50/s --duration 30s -- node 'my server.js' --x\n");
  expect(text).toContain("mcp-bench init -- node 'my server.js' --x\n");
});

test('a tool cannot take hold of the terminal by its name, nor fill it with its arguments', () => {
  const text = nextSteps(result('a\u001b[2Jb', { long: 'x'.repeat(1000) }, 100), { target: 'http://h/' });
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(text).toContain('--arguments … --rate');
});
