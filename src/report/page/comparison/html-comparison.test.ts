import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../../compare/compare-runs.js';
import { comparisons, madeUpRun, madeUpSide } from '../../../compare/comparison.fixture.js';
import { findChromium, startBrowser, type Browser } from '../chromium.fixture.js';
import { htmlComparison } from './html-comparison.js';
import type { ComparedSides } from './overlay-section.js';

const chromium = findChromium();
const title =
  chromium === null
    ? 'the comparison in Chromium (skipped: no Chromium in the PATH)'
    : 'the comparison in Chromium';

function sides(
  base = madeUpSide({ seconds: 30 }),
  head = madeUpSide({ minute: 1, medianMs: 22.3, seconds: 30 }),
): ComparedSides {
  return { comparison: compareRuns(base, head), base, head };
}

describe('htmlComparison', () => {
  it('says the verdict before anything else, with its reasons', () => {
    const page = htmlComparison(sides());
    expect(page.indexOf('regression')).toBeGreaterThan(0);
    expect(page.indexOf('class="verdict bad"')).toBeLessThan(page.indexOf('id="changes"'));
    expect(page).toContain('variation between runs');
  });

  it.each(Object.entries(comparisons))('copes with the comparison %s', (_, make) => {
    const page = htmlComparison({
      comparison: make(),
      base: madeUpSide({}),
      head: madeUpSide({ minute: 1 }),
    });
    expect(page).not.toContain('<img src=x');
    const text = page.slice(page.indexOf('<body>'), page.indexOf('<script>'));
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000\u001b\u202e]/);
  });

  it('shows why runs cannot be compared, and no changes', () => {
    const page = htmlComparison({
      comparison: comparisons['refused']!(),
      base: madeUpSide({}),
      head: madeUpSide({ minute: 1 }),
    });
    expect(page).toContain('refused');
    expect(page).not.toContain('id="changes"');
  });

  it('does without a timeline where there are no intervals', () => {
    expect(htmlComparison(sides(madeUpSide({}), madeUpSide({ minute: 1 })))).not.toContain('id="timeline"');
  });
});

describe.skipIf(chromium === null)(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(chromium!);
  });
  afterAll(async () => {
    await browser.close();
  });

  it('draws the forest, a mark and an interval for every row', async () => {
    const compared = sides();
    const { page, complaints } = await browser.open(htmlComparison(compared));
    const rows = compared.comparison.rows.length;
    expect(await page.locator('.forest circle').count()).toBe(rows);
    const spans = await page
      .locator('.forest .span:nth-of-type(2)')
      .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().width));
    expect(spans).toHaveLength(rows);
    // A regression lies to the right of its margin.
    const p50 = page.locator('#changes tr', { hasText: /^p50/ });
    const mark = (await p50.locator('circle').boundingBox())!;
    const margin = (await p50.locator('.margin').boundingBox())!;
    expect(mark.x).toBeGreaterThan(margin.x + margin.width);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('lays both sides over one another, and hides a side with all its runs', async () => {
    const { page, complaints } = await browser.open(htmlComparison(sides()));
    const pixels = (colour: string): Promise<number> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('#overlay canvas');
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let [blue, orange] = [0, 0];
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 2] - data[i] > 60) blue++;
          if (data[i] - data[i + 2] > 60) orange++;
        }
        return ${colour};
      })()`);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => pixels('blue')).toBeGreaterThan(300);
    expect(await pixels('orange')).toBeGreaterThan(300);
    expect(await page.locator('#overlay .line').allTextContents()).toEqual(['base', 'head']);
    await page.locator('#overlay .line').first().click();
    // The edges of letters have a tinge of every colour.
    await expect.poll(() => pixels('blue')).toBeLessThan(30);
    expect(await page.locator('#timeline canvas').count()).toBe(3);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('fits a phone, one run a side too', async () => {
    const one = sides([madeUpRun({ seconds: 30 })], [madeUpRun({ seconds: 30, minute: 1, medianMs: 25 })]);
    const { page, complaints } = await browser.open(htmlComparison(one), { widthPx: 390 });
    await expect
      .poll(() => page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'))
      .toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
