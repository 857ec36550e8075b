import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readResult } from '../../result/read-result.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { McpServer } from '../fixtures/scripted-mcp.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-descriptors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Two connections for each of 90 sessions fit into 256 descriptors, the five that four slow calls of each want do not.
const scenario = {
  name: 'many',
  sessions: 90,
  load: { model: 'closed', inFlight: 4 },
  duration: '3s',
  calls: [{ tool: 'slow' }],
  timeouts: { call: '2s' },
};
const limited = (program: readonly string[]): string[] => [
  'bash',
  '-c',
  'ulimit -n 256 && exec "$@"',
  'bash',
  ...program,
];

describe.runIf(process.platform === 'linux')('a run that uses up its descriptors', () => {
  test.each([1, 2])('goes on, keeps its result and says what to do: %i workers', async (workers) => {
    const holdMs = 100;
    const server = await McpServer.listen({
      onCall: (post, mcp) => void setTimeout(() => mcp.serve(post), holdMs),
    });
    writeFileSync(join(folder, 'many.yaml'), JSON.stringify({ ...scenario, workers }));
    try {
      const out = join(folder, `out-${workers}.json`);
      const { code, stdout, stderr } = await mcpBench(
        ['run', 'many.yaml', '--target', server.url, '--out', out],
        { cwd: folder, wrap: limited },
      );
      expect(stderr).not.toMatch(/EMFILE|^ {4}at /m);
      expect(code).toBe(0);
      const result = readResult(out);
      expect(result.ended).toBe('complete');
      expect(result.totals.conserved).toBe(true);
      expect(result.sessions.ready).toBeGreaterThanOrEqual(90);
      expect(result.totals.outcomes.ok).toBeGreaterThan(0);
      expect(result.validity.state).toBe('suspect');
      const note = result.validity.reasons.find(({ code: of }) => of === 'descriptors-limit')!;
      expect(note.message).toMatch(/EMFILE.*256 open files.*ulimit -n/);
      expect(stdout).toContain('ulimit -n');
      expect(result.generator.maxRssBytes).toBeGreaterThan(10e6);
    } finally {
      await server.close();
    }
  });
});
