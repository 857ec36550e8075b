import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { playStdio } from './play-stdio.js';

const alone = { sessions: { count: 1, reconnect: false } } as const;

/** No character takes hold of a terminal or of a page, and nothing was thrown by us. */
function expectHarmless({ examples, findings, validity }: RunResult): void {
  const texts = [...Object.values(examples), ...findings.map(({ message }) => message)];
  for (const text of texts) expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  for (const text of texts) expect(text.length).toBeLessThan(2000);
  expect(validity.reasons.map(({ code }) => code)).not.toContain('internal-error');
}

describe.concurrent('whatever a server writes is counted, and ends no worker', () => {
  test('bytes that are no text, and sequences for a terminal', async ({ expect }) => {
    const { counts, result } = await playStdio(['binary']);
    expect(counts).toEqual({ ok: 10, malformedEvent: 20 });
    expect(result.totals.pipes!.otherLines).toBe(10);
    expectHarmless(result);
  });

  test('JSON as deep as it gets', async ({ expect }) => {
    const { counts, result } = await playStdio(['deep']);
    expect(counts['ok'] ?? 0).toBeLessThanOrEqual(10);
    expectHarmless(result);
  });

  test('responses that nobody waits for, batches and JSON that is no message', async ({ expect }) => {
    const { counts, result } = await playStdio(['strangers']);
    expect(counts).toEqual({ ok: 10, foreign: 10, malformedEvent: 20 });
    expect(result.totals.pipes!.otherLines).toBe(30);
    expectHarmless(result);
  });

  test('every answer twice', async ({ expect }) => {
    const { counts } = await playStdio(['twice']);
    expect(counts).toMatchObject({ checkFailed: 10 });
    expect(counts['duplicate']).toBeGreaterThanOrEqual(9);
  });

  test('answers to what it has not been asked', async ({ expect }) => {
    const { counts, sessions, result } = await playStdio(['answers-first']);
    expect(sessions).toMatchObject({ ready: 1 });
    expect(counts['ok']).toBe(10);
    expect(counts['foreign']).toBeGreaterThan(80);
    expectHarmless(result);
  });

  test('a thousand questions with each answer', async ({ expect }) => {
    const { counts } = await playStdio(['asks-much']);
    expect(counts['ok']).toBe(10);
    expect(counts['serverRequest:ping']).toBe(10_000);
  });

  test('a line without an end, until there is no room for it', async ({ expect }) => {
    const { sessions, result } = await playStdio(['pours'], alone);
    expect(sessions).toMatchObject({ 'failed:protocol': 1 });
    expect(result.examples['session protocol']).toBe('a line is larger than 16777216 bytes');
  });

  test('the end of its output, or of its input, while it goes on', async ({ expect }) => {
    const output = await playStdio(['closes-stdout-at=3'], alone);
    expect(output.counts).toMatchObject({ ok: 2, disconnected: 1 });
    expect(output.result.examples['session dropped']).toContain('the server closed its standard output');
    expect(output.result.totals.pipes!.survivedEof).toBe(0);
    const input = await playStdio(['closes-stdin-at=3'], alone);
    expect(input.counts['ok']).toBe(3);
    expect(input.result.examples['session dropped']).toContain('the server closed its standard input');
  });
});
