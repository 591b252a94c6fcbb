import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../client/json.ts';
import type { Comparison } from '../compare/comparison.ts';
import { together } from '../sites/alterations/alteration.ts';
import { declaring, sending } from '../sites/alterations/handling.ts';
import { serve } from '../sites/reference/serve.ts';
import type { Alter, Arg } from '../sites/reference/site.ts';
import { targetOf, tryMain, tryMainAs } from './try-main.fixture.ts';

/** Recorded by Chromium from a page that uses @wordpress/api-fetch against WordPress, in the words of the reference. */
const RECORDED: string = readFileSync(
  join(import.meta.dirname, '../compare/clients/app.fixture.har'),
  'utf8',
).replaceAll(/wp(\/|%2F)v2/g, 'cms$1v2');

type Args = Record<string, Arg>;

function describing(route: string, method: string, change: (args: Args) => void): Alter {
  return declaring(({ routes }) => {
    const endpoint = routes[route]?.endpoints.find(({ methods }) => methods.includes(method));
    if (endpoint === undefined) throw new Error(`${method} ${route} is not there`);
    change(endpoint.args);
  });
}

function showing(route: string, change: (record: Record<string, unknown>) => void): Alter {
  return sending((shown, asked) => {
    if (asked.method !== 'GET' || shown.status !== 200 || asked.route !== route) return shown;
    for (const record of [shown.body].flat()) if (isObject(record)) change(record);
    return shown;
  });
}

function without(name: string): (record: Record<string, unknown>) => void {
  return (record) => {
    delete record[name];
  };
}

const POSTS = '/cms/v2/posts';
const PAGES = '/cms/v2/pages';
const MEDIA = '/cms/v2/media';

/** Changes that affect the app, each with words that its description must contain. */
const SEVEN: Readonly<Record<string, Alter>> = {
  'Send per_page of at most 50': describing(POSTS, 'GET', (args) => {
    Object.assign(args.per_page ?? {}, { maximum: 50 });
  }),
  'orderby enum no longer has "menu_order"': describing(PAGES, 'GET', (args) => {
    const { orderby } = args;
    if (orderby?.enum !== undefined) orderby.enum = orderby.enum.filter((word) => word !== 'menu_order');
  }),
  'Leave out media_type': describing(MEDIA, 'GET', without('media_type')),
  'Send reviewer too': describing(POSTS, 'POST', (args) => {
    args.reviewer = { type: 'string', required: true };
  }),
  'no longer show the field excerpt': showing(POSTS, without('excerpt')),
  'Read author as text too': showing(POSTS, (record) => {
    record.author = String(record.author);
  }),
  'no longer show the field link': showing(PAGES, without('link')),
};

/** Changes that do not affect it: what it does not send or read. */
const THIRTEEN: readonly Alter[] = [
  describing(POSTS, 'GET', without('author_exclude')),
  describing(POSTS, 'GET', ({ orderby }) => {
    if (orderby?.enum !== undefined) orderby.enum = orderby.enum.filter((word) => word !== 'relevance');
  }),
  describing(POSTS, 'GET', without('sticky')),
  describing(PAGES, 'GET', (args) => {
    Object.assign(args.per_page ?? {}, { maximum: 50 });
  }),
  describing(PAGES, 'GET', without('menu_order')),
  describing(PAGES, 'POST', (args) => {
    args.reviewer = { type: 'string', required: true };
  }),
  describing(MEDIA, 'GET', without('mime_type')),
  describing(MEDIA, 'POST', without('alt_text')),
  showing(PAGES, without('menu_order')),
  showing(PAGES, (record) => {
    record.author = String(record.author);
  }),
  showing(MEDIA, without('caption')),
  declaring(({ routes }) => {
    delete routes['/cms/v2/pages/(?P<parent>[\\d]+)/revisions'];
    delete routes['/oembed/1.0/proxy'];
  }),
];

const CHECKS = [
  '*/answers/**',
  '**/contexts/**',
  'posts.list/page/**',
  'pages.list/page/**',
  'media.list/page/**',
];

async function runOf(out: string, changes: readonly Alter[]): Promise<void> {
  const site = await serve({ deployment: 'core', behaviour: together(...changes) });
  const how = ['--mode', 'read', '--quiet', '--seed', '1', '--reporter', 'json', '--tour', 'full'];
  await tryMainAs(site, 'run', ...targetOf(site), ...how, '--out', out, '--only', ...CHECKS);
  await site.close();
}

const folder = mkdtempSync(join(tmpdir(), 'clients-'));
const [before, after, folded] = ['before', 'after', 'folded'].map((name) => join(folder, name));
const [har, log] = [join(folder, 'app.har'), join(folder, 'access.log.gz')];
const [app, shop] = [join(folder, 'app.client.json'), join(folder, 'shop.client.json')];

function logOf(recorded: string): string {
  const {
    log: document,
  }: { log: { entries: { request: { url: string; method: string }; response: { status: number } }[] } } =
    JSON.parse(recorded);
  return document.entries
    .filter(({ request }) => request.url.includes('shop.example'))
    .map(({ request: { url, method }, response: { status } }) => {
      const user = method === 'GET' && !url.includes('context=edit') ? '-' : 'app';
      return `203.0.113.9 - ${user} [22/Nov/2026:10:00:00 +0000] "${method} ${url.slice('https://shop.example'.length)} HTTP/1.1" ${status} 512 "-" "Mozilla/5.0"`;
    })
    .join('\n');
}

async function comparison(...args: string[]): Promise<{ code: number; document: Comparison }> {
  const { code, stdout } = await tryMain('diff', ...args, '--json');
  return { code, document: JSON.parse(stdout) };
}

function saidOf({ clients = [] }: Comparison): string[] {
  return clients.flatMap(({ breaking }) =>
    breaking.flatMap(({ changes }) => changes.map(({ says, instead }) => `${says} ${instead}`)),
  );
}

describe('a comparison as clients meet it', () => {
  beforeAll(async () => {
    writeFileSync(har, RECORDED);
    writeFileSync(log, gzipSync(logOf(RECORDED)));
    await tryMain('client', 'make', har, '--out', app);
    await tryMain('client', 'make', log, '--out', shop);
    await runOf(before ?? '', []);
    await runOf(after ?? '', [...Object.values(SEVEN), ...THIRTEEN]);
    await runOf(folded ?? '', THIRTEEN);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names the seven of twenty changes that affect the app, and what to do', async () => {
    const { code, document } = await comparison(before ?? '', after ?? '', '--as-client', app);
    const said = saidOf(document);
    const named = new Set(
      document.clients?.flatMap(({ breaking }) =>
        breaking.flatMap(({ changes }) => changes.map(({ id }) => id)),
      ),
    );

    expect(code).toBe(1);
    expect(Object.keys(SEVEN).filter((words) => !said.some((one) => one.includes(words)))).toEqual([]);
    expect(named.size).toBe(7);
  });

  it('counts none of the thirteen that do not', async () => {
    const { code, document } = await comparison(before ?? '', folded ?? '', '--as-client', app);

    expect(document.counts.breaking).toBeGreaterThanOrEqual(THIRTEEN.length);
    expect(saidOf(document)).toEqual([]);
    expect(code).toBe(0);
    expect((await comparison(before ?? '', folded ?? '')).code).toBe(1);
  });

  it('gives the same result for an access log, which only knows the members that were requested', async () => {
    const { code, document } = await comparison(before ?? '', after ?? '', '--as-client', shop);
    const said = saidOf(document);

    expect(code).toBe(1);
    expect(Object.keys(SEVEN).filter((words) => !said.some((one) => one.includes(words)))).toEqual([]);
    expect((await comparison(before ?? '', folded ?? '', '--as-client', shop)).code).toBe(0);
  });

  it('shows two clients in one table, and folds the rest', async () => {
    const { stdout } = await tryMain('diff', before ?? '', after ?? '', '--as-client', app, shop);

    expect(stdout).toContain('Calls of 2 of 2 clients break: app, shop');
    expect(stdout).toMatch(/change +app +shop/);
    expect(stdout).toMatch(/What else changed and concerns none of these calls: \d+ causes/);
  });
});
