import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../result/units.js';
import { results } from '../../run/results.fixture.js';
import { htmlReport } from './html-report.js';
import { longResult } from './long-result.fixture.js';

describe('htmlReport', () => {
  it.each(Object.entries(results))('of the result %s asks the network for nothing', (_, make) => {
    const page = htmlReport(make());
    const links = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
    expect(links.filter((link) => !link.startsWith('#') && !link.startsWith('data:'))).toEqual([]);
    expect(page).toContain(`default-src 'none'`);
    expect(page).not.toMatch(/@import|url\(/);
  });

  it('says the verdict and the validity before anything else', () => {
    const page = htmlReport(results['suspect']!());
    const order = [
      'class="verdict good"',
      'class="verdict bad"',
      'writing out a burst took 353 ms',
      'id="latency"',
    ].map((text) => page.indexOf(text));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });

  it('marks a disturbed figure among the first ones too, and says what is shown of single seconds', () => {
    const page = htmlReport(results['disturbed']!()).replaceAll('\u00a0', ' ');
    expect(page).toContain('<dt>response p50</dt><dd>5.25 ms<small></small></dd>');
    expect(page).toMatch(
      /<dt>response p99<\/dt><dd>35\.3 ms~<small>[\d.]+ ms to 35\.3 ms, max [\d.]+ ms<\/small><\/dd>/,
    );
    expect(page).toContain('The p99 of the whole run is disturbed by the generator');
    expect(htmlReport(results['happy']!())).not.toContain('of the whole run');
  });

  it('lets no text of a result act', () => {
    const page = htmlReport(results['hostile']!());
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script/g)).toHaveLength(3);
    // oxlint-disable-next-line no-control-regex
    expect(page).not.toMatch(/[\u0000\u001b\u202e]/);
  });

  it('names the thresholds missed first, with the reason', () => {
    const page = htmlReport(results['thresholdsFailed']!());
    expect(page.indexOf('2.5 %, 25 times the limit')).toBeGreaterThan(0);
    expect(page.indexOf('2.5 %, 25 times the limit')).toBeLessThan(page.indexOf('75.5 % below the limit'));
    expect(page).toContain('response, failures slowest');
  });

  it('leaves out what there is nothing to say about', () => {
    const page = htmlReport(results['allFailed']!());
    expect(page).not.toContain('id="percentiles"');
    expect(page).toContain('id="problems"');
  });

  it('stays far below 400 kB for ten minutes with five tools', () => {
    expect(Buffer.byteLength(htmlReport(longResult(600)))).toBeLessThan(300_000);
  });

  it('stays below 400 kB for a soak of an hour', () => {
    expect(Buffer.byteLength(htmlReport(longResult(3600)))).toBeLessThan(400_000);
  });
});

describe('the page’s formats', () => {
  it('are those of the tables', async () => {
    const path = new URL('../browser/format.js', import.meta.url).href;
    const page = (await import(path)) as {
      formatDuration(ns: number): string;
      formatShare(x: number): string;
    };
    for (const ns of [0, 1, 850, 999.6, 1e3, 12_345, 999_949, 1e6, 15.3e6, 482e6, 999.6e6, 1e9, 98.7e9])
      expect(page.formatDuration(ns)).toBe(formatDuration(ns));
    expect([1, 2, 4, 10, 100, 1000, 1e6].map(page.formatShare)).toEqual([
      '0',
      '50',
      '75',
      '90',
      '99',
      '99.9',
      '99.9999',
    ]);
  });
});
