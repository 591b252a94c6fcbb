import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../engine/result.ts';
import { largeResult, mixedResult } from '../../reports/page/results.fixture.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { runView } from '../../reports/views/run/run.ts';
import { startChromium } from './chromium.fixture.ts';
import { focused, openPage } from './open-page.fixture.ts';

const renderRun = (result: RunResult): string => renderPage(runView(result));

let browser: Browser;
const MIXED = renderRun(mixedResult());

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(async () => {
  await browser.close();
});

function found(page: Page): Promise<string[]> {
  return page.locator('#found li').allTextContents();
}

async function search(page: Page, words: string): Promise<void> {
  await page.fill('#query', words);
  await page.waitForFunction(
    (text) => decodeURIComponent(location.hash).includes(text),
    words.split(' ')[0] ?? '',
  );
}

it('the policy of a page lets nothing run or be fetched even where text were markup', async () => {
  const asked: string[] = [];
  const site = createServer(({ url = '' }, answer) => {
    asked.push(url);
    answer.end();
  });
  await new Promise<void>((done) => void site.listen(0, '127.0.0.1', done));
  const address = site.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using open = await openPage(browser, MIXED);
  await open.page.evaluate(async (origin) => {
    const markup = `<img src="${origin}/img" onerror="window.owned = 1"><iframe src="${origin}/frame"></iframe>
      <link rel="stylesheet" href="${origin}/style"><a id="evil" href="javascript:window.owned=1">x</a>`;
    document.body.insertAdjacentHTML('beforeend', markup);
    const script = document.createElement('script');
    script.textContent = 'window.owned = 1';
    document.body.append(script);
    document.getElementById('evil')?.click();
    await fetch(`${origin}/fetch`).catch(() => undefined);
  }, `http://127.0.0.1:${port}`);
  site.close();

  expect(await open.page.evaluate('window.owned')).toBeUndefined();
  expect(asked).toEqual([]);
  expect(open.events.filter((event) => event.includes('Content Security Policy')).length).toBeGreaterThan(2);
});

describe('the page of a run', () => {
  it('shows the worst failure with its command first, without a script too', async () => {
    await using open = await openPage(browser, MIXED, { javaScriptEnabled: false });
    const card = open.page.locator('#failures .card').first();

    expect(await card.locator('h3').textContent()).toContain('a request without url is accepted');
    expect(await card.locator('pre').textContent()).toMatch(/^curl .*per_page=101' \| tail -c 2000$/);
    expect(await card.textContent()).toContain('yoast/v1');
    expect(await open.page.locator('#search').isVisible()).toBe(false);
    expect(await open.page.locator('#theme').isVisible()).toBe(false);
    await open.page.locator('#checks summary', { hasText: 'posts.list' }).click();
    expect(await open.page.getByText('treats a request without per_page like per_page 10').isVisible()).toBe(
      true,
    );
  });

  it('leads from a cell of the map to its checks, without a script too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using open = await openPage(browser, MIXED, { javaScriptEnabled });
      const row = open.page.locator('.map tr', { hasText: 'GET /wp/v2/posts' });
      await row.locator('td.pass a').first().click();

      await expect.poll(() => new URL(open.page.url()).hash).toMatch(/^#list-/);
      // Longer than the search waits for further keys.
      await open.page.waitForTimeout(200);
      expect(new URL(open.page.url()).hash).toMatch(/^#list-/);
      expect(
        await open.page.getByText('treats a request without per_page like per_page 10').isVisible(),
      ).toBe(true);
    }
  });

  it('opens at a check that a link names', async () => {
    await using open = await openPage(browser, MIXED, { fragment: '#/posts.list/per_page/default/applied' });
    const row = open.page.locator('li:target');

    expect(await row.textContent()).toContain('per_page/default/applied');
    await expect.poll(() => row.isVisible()).toBe(true);
  });

  it('finds checks by words, verdict, kind and area, and keeps the search in its address', async () => {
    await using open = await openPage(browser, MIXED);
    const { page, events } = open;
    await search(page, 'per_page maximum');
    expect(await found(page)).toHaveLength(3);
    await search(page, '/wp/v2/pages maximum');
    expect(await found(page)).toHaveLength(1);
    await search(page, 'per_page maximum');
    await page.selectOption('select[name=area]', 'pages');
    await expect.poll(() => found(page)).toHaveLength(1);
    await page.waitForFunction(() => location.hash.includes('area=pages'));
    const { hash } = new URL(page.url());
    await page.click('button[type=reset]');
    await page.waitForFunction(() => location.hash === '');
    expect(await page.locator('#failures').isVisible()).toBe(true);
    await page.selectOption('select[name=state]', 'skip');
    await expect.poll(() => found(page)).toHaveLength(2);
    await page.selectOption('select[name=kind]', 'writes');
    await expect.poll(() => found(page)).toHaveLength(1);

    await using again = await openPage(browser, MIXED, { fragment: hash });
    expect(await found(again.page)).toEqual([
      expect.stringMatching(/^pages\.list\/per_page\/maximum\/enforced/),
    ]);
    await again.page.locator('#found a').click();
    await expect.poll(() => again.page.locator('#found').isVisible()).toBe(false);
    expect(events).toEqual([]);
  });

  it('can be used with keys alone', async () => {
    await using open = await openPage(browser, MIXED);
    const { page } = open;
    await page.keyboard.press('j');
    expect(await focused(page)).toContain('a request without url is accepted');
    await page.keyboard.press('j');
    expect(await focused(page)).toContain('per_page of posts.list as 101');
    await page.keyboard.press('k');
    expect(await focused(page)).toContain('a request without url is accepted');
    await page.keyboard.press('/');
    await page.keyboard.type('hints/j');
    expect(await page.inputValue('#query')).toBe('hints/j');
    await page.keyboard.press('Escape');
    expect(await page.inputValue('#query')).toBe('');
    await page.keyboard.type('search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('li:target').isVisible()).toBe(true);
  });

  it('changes its theme, and copies a command', async () => {
    await using open = await openPage(browser, MIXED, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = open;
    const ground = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click('#theme');
    expect(await ground()).not.toBe(light);
    await page.locator('#failures .copy').first().click();
    await page.waitForFunction(() => document.querySelector('#failures .copy')?.textContent !== 'Copy');

    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl /);
  });
});

describe('a page of 10,000 checks', () => {
  const LARGE = renderRun(largeResult(10_000));

  it('shows what is found, and more of it on demand', async () => {
    await using open = await openPage(browser, LARGE);
    const { page } = open;
    await page.focus('#query');
    await page.keyboard.type('resource-1 enforced');
    await expect.poll(async () => (await found(page)).length).toBe(100);
    await page.click('#more');
    expect(await found(page)).toHaveLength(200);
  });
});
