import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLatency } from './latency.js';

const quantiles = (text: string, at: number[]): number[] =>
  at.map((u) => parseLatency(text).sampleNs(u) / 1e6);

describe('latency expressions', () => {
  test.each([
    ['5ms', [0, 0.5, 0.999], [5, 5, 5]],
    ['constant(5ms)', [0.1], [5]],
    ['uniform(1ms,5ms)', [0, 0.25, 0.5], [1, 2, 3]],
    ['bimodal(5ms,100ms,10%)', [0, 0.89, 0.91], [5, 5, 100]],
  ])('%s', (text, at, expected) => expect(quantiles(text, at)).toEqual(expected));

  test('normal, lognormal and exponential have the quantiles of the books', () => {
    const near = (text: string, u: number, ms: number): void =>
      expect(quantiles(text, [u])[0]).toBeCloseTo(ms, 3);
    near('normal(20ms,3ms)', 0.5, 20);
    near('normal(20ms,3ms)', 0.975, 20 + 3 * 1.959964);
    near('normal(20ms,3ms)', 0.001, 20 - 3 * 3.090232);
    near('lognormal(20ms,0.5)', 0.5, 20);
    near('lognormal(20ms,0.5)', 0.99, 20 * Math.exp(0.5 * 2.326348));
    near('exponential(10ms)', 0.5, 10 * Math.LN2);
    expect(quantiles('normal(1ms,50ms)', [0.01])[0]).toBe(0);
  });

  test('file(…) draws from a list of durations', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    writeFileSync(join(folder, 'delays.txt'), '# measured\n30ms\n10ms\n\n20ms # median\n');
    const latency = parseLatency('file(delays.txt)', folder);
    expect([0, 0.34, 0.99].map((u) => latency.sampleNs(u) / 1e6)).toEqual([10, 20, 30]);
    writeFileSync(join(folder, 'bad.txt'), '10ms\nsoon\n');
    expect(() => parseLatency('file(bad.txt)', folder)).toThrow(/bad.txt:2: 'soon' is no duration/);
    expect(() => parseLatency('file(none.txt)', folder)).toThrow(/cannot be read/);
    rmSync(folder, { recursive: true });
  });

  test.each([
    '',
    '5',
    'soon',
    'uniform(5ms)',
    'uniform(5ms,1ms)',
    'normal(5ms,x)',
    'lognormal(5ms,-1)',
    'bimodal(1ms,2ms,200%)',
    'gamma(1ms,2ms)',
    'file()',
  ])('refuses %j and says what it takes', (text) =>
    expect(() => parseLatency(text)).toThrow(/is not understood; expected 5ms, uniform/),
  );
});
