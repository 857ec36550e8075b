import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where Chromium is on this machine; null where it is not. */
export function findChromium(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync) ?? null;
}

export interface Browser {
  /** Opens a page from a file of its own, as a reader would; at the width given. */
  open(html: string, options?: { widthPx?: number }): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  page: Page;
  /** What the page should never do: errors on the console, questions, requests to anywhere. */
  complaints: string[];
}

/** Starts a Chromium without a window and with an empty profile. */
export async function startBrowser(executablePath: string, javaScript = true): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-html-'));
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    headless: true,
    javaScriptEnabled: javaScript,
    viewport: { width: 1200, height: 900 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  let files = 0;
  return {
    async open(html, { widthPx = 1200 } = {}) {
      const path = join(folder, `${++files}.html`);
      writeFileSync(path, html);
      return openFile(context, pathToFileURL(path).href, widthPx);
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openFile(context: BrowserContext, url: string, widthPx: number): Promise<OpenPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:'))
      complaints.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewportSize({ width: widthPx, height: 900 });
  await page.goto(url);
  return { page, complaints };
}
