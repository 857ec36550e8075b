import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { contests } from '../../../versus/versus-result.fixture.js';
import { findChromium, startBrowser, type Browser } from '../chromium.fixture.js';
import { versusScale } from './versus-scale.js';
import { htmlVersus } from './versus-page.js';

const chromium = findChromium();
const title =
  chromium === null ? 'the page in Chromium (skipped: no Chromium in the PATH)' : 'the page in Chromium';

describe('htmlVersus', () => {
  it('says who is first before anything else', () => {
    const page = htmlVersus(contests['ranked']!());
    expect(page).toMatch(/class="verdict good".*uws.*is first: calls\/s 42,829/s);
    expect(page.indexOf('class="verdict good"')).toBeLessThan(page.indexOf('id="ranking"'));
  });

  it.each(Object.entries(contests))('copes with the contest %s', (_, make) => {
    const page = htmlVersus(make());
    expect(page).not.toContain('<img src=x');
    const text = page.slice(page.indexOf('<body>'), page.indexOf('<script>'));
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000\u001b\u202e]/);
  });

  it('keeps whoever is not ranked, with the reason, and says what is unknown', () => {
    const page = htmlVersus(contests['mixed']!());
    expect(page).toContain('exit code 3 (it said: Error: boom)');
    expect(page).toContain('unknown of what was not started here: elsewhere');
    expect(page).toContain('initial_instructions');
  });
});

test('figures of one size share an axis from zero, others one of powers', () => {
  const places = (...values: number[]): Parameters<typeof versusScale>[0] =>
    values.map((value) => ({ values: [value] }) as unknown as Parameters<typeof versusScale>[0][number]);
  const near = versusScale(places(100, 200));
  expect(near.at(0)).toBe(0);
  expect(near.at(100)).toBeCloseTo(near.at(200) / 2);
  const far = versusScale(places(1, 10_000));
  expect(far.at(100)).toBeCloseTo(0.5);
  expect(far.ticks).toEqual([1, 10, 100, 1000, 10_000]);
  expect(far.at(Infinity)).toBe(1);
  expect(versusScale(places(0, 0)).at(0)).toBe(0);
});

describe.skipIf(chromium === null)(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(chromium!);
  });
  afterAll(async () => {
    await browser.close();
  });

  it('draws a dot for every round, and the better ones further to the right', async () => {
    const { page, complaints } = await browser.open(htmlVersus(contests['ranked']!()));
    expect(await page.locator('#by-callsPerSec .round').count()).toBe(20);
    const x = await page
      .locator('#by-callsPerSec circle:not(.round)')
      .evaluateAll((dots) => dots.map((dot) => dot.getBoundingClientRect().x));
    expect(x).toHaveLength(4);
    expect(x[0]).toBeGreaterThan(x[1]! + 20);
    expect(x[2]).toBeGreaterThan(x[3]! + 20);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('sorts the table by any column', async () => {
    const { page } = await browser.open(htmlVersus(contests['ranked']!()));
    const names = (): Promise<string[]> =>
      page.locator('#ranking table[data-sorts] tbody th').allTextContents();
    const original = await names();
    await page.locator('#ranking th button', { hasText: 'p99' }).click();
    expect((await names())[0]).toContain('python-sdk');
    for (let click = 0; click < 2; click++)
      await page.locator('#ranking th button', { hasText: 'p99' }).click();
    expect(await names()).toEqual(original);
    await page.close();
  });

  it('has a light and a dark theme', async () => {
    const { page } = await browser.open(htmlVersus(contests['mixed']!()));
    const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).not.toBe(light);
    await page.close();
  });

  it.each(Object.entries(contests))(
    'shows the contest %s on a phone without scrolling sideways',
    async (_, make) => {
      const { page, complaints } = await browser.open(htmlVersus(make()), { widthPx: 390 });
      await expect
        .poll(() => page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'))
        .toBe(0);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
