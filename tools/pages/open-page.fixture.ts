import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page that is open in a browser, and what it did beyond showing itself. */
interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Requests, errors, dialogs and messages of the console, but for the page itself. */
  readonly events: readonly string[];
}

/** Opens a page from disk, as a person does. @param fragment of the address, with its `#` */
export async function openPage(
  browser: Browser,
  text: string,
  { fragment = '', ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<OpenPage> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, text);
  const address = pathToFileURL(file).href;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().split('#', 1)[0] !== address) events.push(`request ${request.url().slice(0, 200)}`);
  });
  page.on('pageerror', (error) => events.push(`error ${error.message}`));
  page.on('console', (message) => events.push(`console ${message.text()}`));
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${address}${fragment}`);
  return {
    page,
    events,
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Begins to measure how long a page takes from each key to what it shows, those under a frame left out. */
export async function observeKeys(page: Page): Promise<void> {
  await page.evaluate(`
    window.delays = [];
    new PerformanceObserver((list) => window.delays.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'event', durationThreshold: 16 });
  `);
}

/** The milliseconds that were measured, in ascending order. */
export async function delaysOf(page: Page): Promise<number[]> {
  const delays: unknown = await page.evaluate('window.delays');
  return Array.isArray(delays) ? delays.map(Number).toSorted((one, other) => one - other) : [];
}

/** The text of what has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
