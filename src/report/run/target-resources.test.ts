import { expect, test } from 'vitest';
import { sampleResult } from '../../result/result.fixture.js';
import { targetResourceTexts } from './target-resources.js';

test('of a server that ended in mid-run the CPU is shown, and not divided by calls that another may have answered', () => {
  const { target } = sampleResult();
  const resources = { ...target.resources!, cpuMs: 250, ended: true };
  const texts = targetResourceTexts(sampleResult({ target: { ...target, resources } }));
  expect(texts).toContain('250 ms of CPU until it ended');
  expect(texts.join()).not.toContain('1,000 calls');
});
