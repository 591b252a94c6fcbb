import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { temporaryFolder } from '../../engine/temporary-folder.ts';

interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Requests, errors, dialogs and console messages, except for the page itself. */
  readonly events: readonly string[];
}

/** Opens a page from disk, as people do. @param fragment of the address, with its `#` */
export async function openPage(
  browser: Browser,
  text: string,
  { fragment = '', ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<OpenPage> {
  const folder = temporaryFolder('page');
  const file = join(folder.path, 'report.html');
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
      folder[Symbol.dispose]();
    },
  };
}

/** The text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
