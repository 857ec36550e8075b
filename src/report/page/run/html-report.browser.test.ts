import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { results } from '../../run/results.fixture.js';
import { findChromium, startBrowser, type Browser, type OpenPage } from '../chromium.fixture.js';
import { htmlReport } from './html-report.js';
import { longResult } from './long-result.fixture.js';

const chromium = findChromium();
const title =
  chromium === null ? 'the page in Chromium (skipped: no Chromium in the PATH)' : 'the page in Chromium';
const charts = ['percentiles', 'throughput', 'latency-over-time', 'errors', 'sessions'];

describe.skipIf(chromium === null)(title, () => {
  let browser: Browser;
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser(chromium!);
    open = await browser.open(htmlReport(longResult(60)));
    page = open.page;
  });
  afterAll(async () => {
    await browser.close();
  });

  it.each(charts)('draws the chart %s', async (id) => {
    // Thousands of pixels are lines, grid and words: a blank canvas has none.
    expect(await paintedPixels(page, `#${id} canvas`)).toBeGreaterThan(2000);
    for (const line of await page.locator(`#${id} .legend .line`).all()) await expectPainted(page, id, line);
  });

  it('draws the heat map and the waterfall', async () => {
    expect(await page.locator('#heat .heat-cells path').count()).toBeGreaterThanOrEqual(5);
    const box = await page.locator('#heat .heat-cells').boundingBox();
    expect(box!.width).toBeGreaterThan(800);
    expect(await page.locator('#handshake .bar rect').count()).toBe(12);
    const widths = await page
      .locator('#handshake .bar rect')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(0.5);
  });

  it('shows the percentiles under the mouse', async () => {
    await hover(page, '#percentiles .u-over', 0.5, 0.5);
    expect(await page.locator('#percentiles .readout').textContent()).toMatch(/^at p9\d/);
    const figures = await page.locator('#percentiles .value').allTextContents();
    expect(figures).toHaveLength(4);
    for (const figure of figures) expect(figure).toMatch(/^[\d.]+ (µs|ms)$/);
  });

  it('shows one moment in all charts of the timeline at once', async () => {
    await hover(page, '#latency-over-time .u-over', 0.5, 0.5);
    const places = await page.locator('#timeline .readout').allTextContents();
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/^at (29|30|31)(\.5)? s$/);
    expect(await page.locator('#throughput .value').first().textContent()).toMatch(/^\d+\/s$/);
  });

  it('zooms into a stretch of time, and out again', async () => {
    const box = (await page.locator('#throughput .u-over').boundingBox())!;
    const x = (share: number): number => box.x + box.width * share;
    const y = box.y + box.height / 2;
    await page.mouse.move(x(0.5), y);
    await page.mouse.down();
    await page.mouse.move(x(0.75), y, { steps: 4 });
    await page.mouse.up();
    await hover(page, '#throughput .u-over', 0.02, 0.5);
    expect(await secondsShown(page)).toBeGreaterThan(28);
    await page.mouse.dblclick(x(0.02), y);
    await hover(page, '#throughput .u-over', 0.03, 0.5);
    expect(await secondsShown(page)).toBeLessThan(4);
  });

  it('names the cell of the heat map under the mouse', async () => {
    await hover(page, '#heat .heat-plot', 0.25, 0.8);
    expect(await page.locator('#heat .readout').textContent()).toMatch(
      /^15 s to 16 s, .* (ms|µs) to .* (ms|µs): /,
    );
    expect(await page.locator('#heat .heat-cursor').isVisible()).toBe(true);
  });

  it('reads charts to those who use keys', async () => {
    const plot = page.locator('#percentiles .plot');
    await plot.focus();
    await page.keyboard.press('End');
    const last = await plot.getAttribute('aria-valuetext');
    expect(last).toMatch(/^at p99\.\d+: response [\d.]+ ms, service/);
    await page.keyboard.press('ArrowLeft');
    expect(await plot.getAttribute('aria-valuetext')).not.toBe(last);
    await page.keyboard.press('Escape');
    expect(await plot.getAttribute('aria-valuetext')).toBe('no place chosen');
    await page.locator('#heat .heat-plot').focus();
    for (const key of ['Home', 'Home', 'ArrowRight']) await page.keyboard.press(key);
    expect(await page.locator('#heat .heat-plot').getAttribute('aria-valuetext')).toMatch(
      /^1 s to 2 s.*: [\d,]+ calls$/,
    );
  });

  it('hides and shows a line', async () => {
    const line = page.locator('#percentiles .line').first();
    const before = await paintedPixels(page, '#percentiles canvas', 'c1');
    await line.click();
    expect(await line.getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => paintedPixels(page, '#percentiles canvas', 'c1')).toBeLessThan(before / 4);
    await line.click();
    await expect.poll(() => paintedPixels(page, '#percentiles canvas', 'c1')).toBe(before);
  });

  it('sorts the tools by mouse and by key', async () => {
    const original = await toolNames(page);
    const head = page.locator('#tools th', { hasText: 'p50' });
    await head.locator('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await toolNames(page)).toEqual(original.toReversed());
    await head.locator('button').focus();
    await page.keyboard.press('Enter');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(await toolNames(page)).toEqual(original);
    const name = page.locator('#tools th', { hasText: 'tool' }).first();
    await name.locator('button').focus();
    await page.keyboard.press('Space');
    expect(await name.getAttribute('aria-sort')).toBe('ascending');
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect(await toolNames(page)).toEqual(original.toSorted());
  });

  it('has a light and a dark theme, by the system and by choice', async () => {
    const background = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background();
    expect(dark).not.toBe(light);
    await expectPainted(page, 'percentiles', page.locator('#percentiles .line').first());
    const button = page.locator('#theme');
    await button.click();
    expect(await button.textContent()).toBe('Theme: light');
    expect(await background()).toBe(light);
    await expectPainted(page, 'percentiles', page.locator('#percentiles .line').first());
    await button.click();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await background()).toBe(dark);
    await button.click();
    expect(await button.textContent()).toBe('Theme: auto');
  });

  it('prints in light, without what paper cannot do, and as wide as paper', async () => {
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    await page.setViewportSize({ width: 720, height: 1000 });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('#theme').isVisible()).toBe(false);
    await expect.poll(() => overhang(page)).toBe(0);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
    await page.setViewportSize({ width: 1200, height: 900 });
  });

  it('never complained, and asked nobody', () => {
    expect(open.complaints).toEqual([]);
  });

  it.each(Object.entries(results))(
    'shows the result %s on a phone without scrolling sideways',
    async (_, make) => {
      const phone = await browser.open(htmlReport(make()), { widthPx: 390 });
      await expect.poll(() => overhang(phone.page)).toBe(0);
      expect(await phone.page.locator('h1').isVisible()).toBe(true);
      expect(phone.complaints).toEqual([]);
      await phone.page.close();
    },
  );

  it.each([1200, 390])('shows the two ends of a disturbed figure below it, %i px wide', async (widthPx) => {
    const { page: shown } = await browser.open(htmlReport(results['disturbed']!()), { widthPx });
    const cells = shown.locator('td.figure:has(small)');
    expect(await cells.count()).toBeGreaterThan(0);
    for (const cell of await cells.all()) {
      const [figure, ends] = await cell.evaluate((td) => {
        const text = td.ownerDocument.createRange();
        text.selectNode(td.firstChild!);
        return [text, td.querySelector('small')!].map((each) => each.getBoundingClientRect().toJSON());
      });
      expect(ends.height).toBeGreaterThan(0);
      expect(ends.top).toBeGreaterThanOrEqual(figure.bottom - 4);
    }
    await shown.close();
  });

  it('shows hostile text as text', async () => {
    const hostile = await browser.open(htmlReport(results['hostile']!()));
    expect(await hostile.page.locator('h1').textContent()).toContain('<script>alert("1")</script>');
    expect(await hostile.page.locator('script').count()).toBe(3);
    expect(hostile.complaints).toEqual([]);
  });

  it('keeps its figures without JavaScript', async () => {
    const plain = await startBrowser(chromium!, false);
    const { page: still } = await plain.open(htmlReport(results['happy']!()));
    expect(await still.locator('noscript p').isVisible()).toBe(true);
    expect(await still.locator('#latency table').isVisible()).toBe(true);
    expect(await still.locator('#theme').isVisible()).toBe(false);
    await plain.close();
  });
});

async function hover(page: Page, selector: string, across: number, down: number): Promise<void> {
  const place = page.locator(selector).first();
  await place.scrollIntoViewIfNeeded();
  const box = (await place.boundingBox())!;
  await page.mouse.move(box.x + box.width * across, box.y + box.height * down);
  await page.mouse.move(box.x + box.width * across + 1, box.y + box.height * down);
  // uPlot follows the mouse once a frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** How many pixels of a canvas are painted at all, or in one of the six colours. */
function paintedPixels(page: Page, selector: string, name = ''): Promise<number> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector(${JSON.stringify(selector)});
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = 'var(--${name})';
    const [r, g, b] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const near = (i) => Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 24;
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && (${JSON.stringify(name)} === '' || near(i))) count++;
    return count;
  })()`);
}

async function expectPainted(page: Page, id: string, line: ReturnType<Page['locator']>): Promise<void> {
  const name = /\bc\d\b/.exec((await line.getAttribute('class')) ?? '')![0];
  await expect.poll(() => paintedPixels(page, `#${id} canvas`, name)).toBeGreaterThan(50);
}

async function secondsShown(page: Page): Promise<number> {
  return Number(/[\d.]+/.exec((await page.locator('#throughput .readout').textContent()) ?? '')![0]);
}

function toolNames(page: Page): Promise<string[]> {
  return page.locator('#tools tbody th').allTextContents();
}

/** By how much the page is wider than the window. */
function overhang(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}
