import { delaysOf, observeKeys, openPage, startChromium } from '../../reports/page/browser.fixture.ts';
import { largeResult } from '../../reports/page/results.fixture.ts';
import { renderRunPage } from '../../reports/page/run/run-page.ts';
import { renderTable } from './render-table.ts';

const SIZES = [100, 1000, 10_000];
const WORDS = 'resource-1 maximum enforced parameter_3';

/** Measures pages of runs: how large they are, how long they take to make, and how long from a key to what it shows. */
async function main(): Promise<void> {
  const browser = await startChromium();
  const rows = [['checks', 'size', 'made in', 'median delay of a key', 'longest']];
  for (const size of SIZES) {
    const result = largeResult(size);
    const begun = performance.now();
    const text = renderRunPage(result);
    const made = performance.now() - begun;
    await using open = await openPage(browser, text);
    await observeKeys(open.page);
    await open.page.focus('#query');
    await open.page.keyboard.type(WORDS, { delay: 150 });
    await open.page.waitForSelector('#found li');
    const delays = await delaysOf(open.page);
    const at = (share: number): string =>
      `${delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? '< 16'} ms`;
    rows.push([
      String(size),
      `${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`,
      `${made.toFixed(0)} ms`,
      at(0.5),
      at(1),
    ]);
  }
  await browser.close();
  process.stdout.write(renderTable(rows));
}

await main();
