import { describe, expect, test } from 'vitest';
import type { PeerFigures, PeersRecord } from './peer-figures.js';
import { peersMarkdown } from './peers-report.js';
import { replaceSection } from './replace-section.js';

const machine = {
  cpu: 'a CPU',
  cores: 2,
  memoryBytes: 2 ** 30,
  os: 'Linux',
  node: '20.20.0',
  git: 'abc1234',
  loadBefore: 0,
};
const slow: PeerFigures = {
  peer: 'slow',
  about: 'slow 1.0, Go',
  transport: 'sse',
  paces: false,
  postsOnly: false,
  date: '2026-11-19T20:00:00.000Z',
  git: 'abc1234',
  flatOut: [900, 1000, 2000].map((callsPerSec) => ({ callsPerSec, cpuUs: 500, residentBytes: 48e6 })),
  latency: { p50Ms: 20.4, p99Ms: 22.5, trueP50Ms: 20.1, trueP99Ms: 20.9 },
  stall: { calls: 4000, p50Ms: 1, p99Ms: 12, maxMs: 1001, notStarted: null },
  reason: null,
};
const fast: PeerFigures = {
  ...slow,
  peer: 'fast',
  about: 'library 2.0, C',
  paces: true,
  flatOut: [{ callsPerSec: 20_000, cpuUs: 20, residentBytes: 190e6 }],
  stall: { calls: 990, p50Ms: 1, p99Ms: 951, maxMs: 1001, notStarted: 10 },
};
const posts: PeerFigures = {
  ...fast,
  peer: 'posts',
  about: 'posts 3.0',
  postsOnly: true,
  latency: null,
  stall: null,
};
const record = (figures: readonly PeerFigures[], skipped = {}): PeersRecord => ({
  schema: 'mcp-bench/peers@1',
  machine,
  figures,
  skipped,
});
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
    .slice(2);

describe('peersMarkdown', () => {
  test('has the fastest first by the median of its rounds, and what only posts last', () => {
    expect(rowsOf(peersMarkdown(record([slow, posts, fast])))).toEqual([
      [
        '`fast`, library 2.0, C',
        '20,000',
        '20.0 µs',
        '190 MB',
        '20.4, 22.5 ms',
        '20.1, 20.9 ms',
        '951 ms',
        '990, 10 never started',
      ],
      [
        'slow 1.0, Go',
        '1,000',
        '500 µs',
        '48.0 MB',
        '20.4, 22.5 ms',
        '20.1, 20.9 ms',
        '12.0 ms (closed loop)',
        '4,000',
      ],
      ['posts 3.0: POSTs alone', '20,000', '20.0 µs', '190 MB', '–', '–', '–', '–'],
    ]);
  });

  test('has a table for each transport, and says when, where and from what', () => {
    const text = peersMarkdown(record([slow, { ...slow, transport: 'stateless', git: 'def5678' }]));
    expect(text.match(/^### .*$/gm)).toEqual(['### HTTP+SSE', '### Streamable HTTP, stateless (2026-07-28)']);
    expect(text).toMatch(/^2026-11-19 · a CPU, 2 cores, Linux, Node 20.20.0 · abc1234, def5678\n/);
  });

  test('names what failed and what was skipped', () => {
    const failed = { ...slow, flatOut: [], latency: null, stall: null, reason: 'it ended\nwith 1' };
    const text = peersMarkdown(record([failed], { k6: 'go is not on the PATH' }));
    expect(rowsOf(text)).toEqual([['slow 1.0, Go', ...Array.from({ length: 7 }, () => '–')]]);
    expect(text).toContain('- slow, sse: it ended with 1\n- k6: go is not on the PATH');
  });
});

describe('replaceSection', () => {
  test('replaces what is between the marks, and nothing else', () => {
    const page = 'a\n<!-- t -->\nold\n<!-- /t -->\nb\n';
    const once = replaceSection(page, 't', 'new');
    expect(once).toBe('a\n<!-- t -->\n\nnew\n\n<!-- /t -->\nb\n');
    expect(replaceSection(once, 't', 'new')).toBe(once);
  });

  test('refuses a page without them', () => {
    expect(() => replaceSection('<!-- /t --><!-- t -->', 't', 'new')).toThrow(/no section t/);
  });
});
