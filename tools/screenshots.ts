import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startChromium } from './pages/chromium.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 1000;

/**
 * Takes pictures of pages in both themes and two widths: `npm run screenshots -- PAGE.html… --out DIR`, with
 * `--whole` for the whole height.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: '.' }, whole: { type: 'boolean', default: false } },
  });
  if (positionals.length === 0) throw new Error('name the pages of which to take pictures');
  mkdirSync(values.out, { recursive: true });
  const browser = await startChromium();
  try {
    for (const file of positionals) {
      for (const colorScheme of THEMES) {
        for (const width of WIDTHS) {
          const page = await browser.newPage({ colorScheme, viewport: { width, height: HEIGHT } });
          await page.goto(pathToFileURL(resolve(file)).href);
          const name = `${basename(file, '.html')}-${colorScheme}-${width}.png`;
          await page.screenshot({ path: join(values.out, name), fullPage: values.whole });
          await page.close();
        }
      }
    }
  } finally {
    await browser.close();
  }
}

await main();
