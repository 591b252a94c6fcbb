import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../compare/comparison.ts';
import type { Fleet } from '../../compare/fleet/document.ts';
import type { History } from '../../compare/history/history.ts';
import { visibleText } from '../../engine/text.ts';
import { sampleComparison, sampleFleet, sampleHistory } from '../../reports/page/documents.fixture.ts';
import { hostileResult, mixedResult } from '../../reports/page/results.fixture.ts';
import { hostileDocument } from '../../reports/page/schema-document.fixture.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { comparisonView } from '../../reports/views/comparison.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { historyView } from '../../reports/views/history.ts';
import { runView } from '../../reports/views/run/run.ts';
import { startChromium } from './chromium.fixture.ts';
import { focused, openPage } from './open-page.fixture.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(async () => {
  await browser.close();
});

const PAGES: readonly (readonly [name: string, usual: string, hostile: string])[] = [
  ['a run', renderPage(runView(mixedResult())), renderPage(runView(hostileResult()))],
  [
    'a comparison',
    renderPage(comparisonView(sampleComparison())),
    renderPage(comparisonView(hostileDocument('comparison.schema.json') as Comparison)),
  ],
  [
    'a fleet',
    renderPage(fleetView(sampleFleet())),
    renderPage(fleetView(hostileDocument('fleet.schema.json') as Fleet)),
  ],
  [
    'a history',
    renderPage(historyView(sampleHistory())),
    renderPage(historyView(hostileDocument('history.schema.json') as History)),
  ],
];

/** Elements and attributes that run, fetch or navigate, so that text would become active. */
const WAYS_OUT =
  'img, iframe, object, embed, svg, base, link, video, audio, [onerror], [onload], [onclick], [style], [href]:not([href^="#"], [href^="./"]), [src], script:not(:last-of-type), meta[http-equiv=refresh]';

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
}

async function tooWide(page: Page, width: number): Promise<string[]> {
  return await page.evaluate((most) => {
    const scrolls = (at: Element | null): boolean =>
      at !== null &&
      at !== document.body &&
      (['auto', 'scroll'].includes(getComputedStyle(at).overflowX) || scrolls(at.parentElement));
    return [...document.querySelectorAll('body, body *')]
      .filter((one) => one.checkVisibility() && !scrolls(one.parentElement))
      .filter((one) => one.getBoundingClientRect().right > most + 0.5)
      .map((one) => `${one.tagName} ${one.className} ${Math.round(one.getBoundingClientRect().right)}`)
      .slice(0, 10);
  }, width);
}

it('goes through the sites of a fleet with keys', async () => {
  await using open = await openPage(browser, renderPage(fleetView(sampleFleet())));
  const { page } = open;
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('shop');
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('down');
});

describe.each(PAGES)('the page of %s', (_name, usual, hostile) => {
  it('shows hostile text that runs nothing, leads nowhere and asks for nothing, in whatever member it stands', async () => {
    await using open = await openPage(browser, hostile);
    const { page, events } = open;
    await openAll(page);
    await page.fill('#query', 'owned');
    await page.waitForSelector('#found:not([hidden])');
    for (const link of await page.locator('#found a[href^="#"]').all())
      await link.evaluate((a: HTMLElement) => a.click());

    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.locator(WAYS_OUT).count()).toBe(0);
    expect(await page.locator('body > *').count()).toBe(2);
    expect(events).toEqual([]);
    const text = (await page.locator('body').textContent()) ?? '';
    expect(visibleText(text) === text).toBe(true);
    expect(text).toContain('owned');
  });

  it('is whole without a script', async () => {
    await using open = await openPage(browser, usual, { javaScriptEnabled: false });

    expect(await open.page.locator('main > section').count()).toBeGreaterThan(1);
    expect(await open.page.locator('#search').isVisible()).toBe(false);
    expect(await open.page.locator('h1').isVisible()).toBe(true);
  });

  // Colours belong to a theme and places to a width, so each of both is seen once.
  it.each([
    ['light', 390, 1280],
    ['dark', 1280, 390],
  ] as const)(
    'has no finding of axe in the %s theme %d wide, and scrolls one way only, %d wide too',
    async (colorScheme, width, otherWidth) => {
      await using open = await openPage(browser, usual, { colorScheme, viewport: { width, height: 900 } });
      const { page } = open;
      await openAll(page);
      await page.evaluate(axe.source);
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html]))',
      );

      expect(violations).toEqual([]);
      for (const wide of [width, otherWidth]) {
        await page.setViewportSize({ width: wide, height: 900 });
        expect(await tooWide(page, wide)).toEqual([]);
      }
    },
  );

  it('scrolls one way only on a telephone, however long the words of a target and the ids are', async () => {
    const width = 390;
    await using open = await openPage(browser, hostile, { viewport: { width, height: 844 } });
    const { page } = open;
    expect(await tooWide(page, width), 'folded').toEqual([]);
    await openAll(page);
    expect(await tooWide(page, width), 'open').toEqual([]);
    await page.fill('#query', 'owned');
    await page.waitForSelector('#found:not([hidden])');
    expect(await tooWide(page, width), 'found').toEqual([]);
  });

  it('prints what it says, and no controls', async () => {
    await using open = await openPage(browser, usual);
    await open.page.emulateMedia({ media: 'print' });

    expect(await open.page.locator('main > section').first().isVisible()).toBe(true);
    for (const control of ['#search', '#theme', 'nav']) {
      expect(await open.page.locator(control).isVisible(), control).toBe(false);
    }
  });
});
