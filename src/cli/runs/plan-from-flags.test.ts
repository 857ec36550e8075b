import { expect, test } from 'vitest';
import type { RunFlags } from '../flags/run-flags.js';
import { planFromFlags } from './plan-from-flags.js';

test.each([
  [{ calls: 5, duration: '1s' }, /^--calls and --duration both say when to stop/],
  [{ rate: 'fast' }, /^--rate: /],
  [{ sessions: 0 }, /^--sessions: /],
])('what is wrong with flags is said before a server is asked for its tools: %j', async (load, message) => {
  const given = { quiet: true, strict: false, dryRun: false } as RunFlags;
  const overrides = { target: 'http://127.0.0.1:1/mcp', ...load };
  await expect(planFromFlags(given, overrides)).rejects.toMatchObject({
    message: expect.stringMatching(message),
  });
});
