import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendJson, testServer } from '../../client/server.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { tryMain } from '../try-main.fixture.ts';

const INDEX = {
  name: 'A site',
  namespaces: ['cms/v2'],
  routes: {
    '/': { namespace: '', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
    '/cms/v2/posts': { namespace: 'cms/v2', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
  },
};
const PAGE = '<!doctype html><title>A site</title>';

/** A site that serves its index at one address, and its page everywhere else. */
async function siteAt(place: string, link?: string): Promise<string> {
  const { url } = await testServer((request, response) => {
    if (request.url === place || (place.endsWith('/') && request.url?.startsWith(`${place}cms/`)))
      return sendJson(response, INDEX);
    return response
      .writeHead(200, {
        'content-type': 'text/html',
        ...(link !== undefined && { link: `<${link}>; rel="https://api.w.org/"` }),
      })
      .end(PAGE);
  });
  return url;
}

/** Where a site has its index, and the address that users give. */
interface Place {
  readonly what: string;
  readonly place: string;
  readonly given: string;
  readonly link?: string;
}

const PLACES: readonly Place[] = [
  { what: 'the address of the interface', place: '/index.php?rest_route=/', given: '' },
  { what: 'pretty addresses', place: '/wp-json/', given: '' },
  { what: 'pretty addresses, which are given', place: '/wp-json/', given: '/wp-json' },
  { what: 'a sub-folder', place: '/blog/index.php?rest_route=/', given: '/blog/' },
  { what: 'pretty addresses of a sub-folder', place: '/blog/wp-json/', given: '/blog' },
  { what: 'a place that its page names', place: '/api/', given: '', link: '/api/' },
];

/** Commands that go to a site, without what names it; pretty-addresses.whole.test.ts has that of a run. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['plan', '--only', 'index/name/**', '--deployment', 'auto'],
  ['init'],
  ['snapshot'],
];

describe.each(COMMANDS)('%s finds the index of a site', (command, ...args) => {
  it.each(PLACES)('at $what', async ({ place, given, link }) => {
    const out = join(testFolder(), 'out');
    const to = command === 'plan' ? [] : ['--out', out];
    const target = `${await siteAt(place, link)}${given}`;
    const { code, lines } = await tryMain(command, '--target', target, ...args, ...to);

    expect(lines.filter((line) => line.startsWith('site-conformance: '))).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('a caller who is not clear', () => {
  const twice = ['--user', 'me', '--header', 'Authorization: Bearer abcd'];

  it.each([['run'], ['plan'], ['init']])('is refused by %s', async (command) => {
    const header = command === 'plan' ? ['--user', 'me'] : twice;
    const { code, lines } = await tryMain(command, '--target', 'http://127.0.0.1:9', ...header);

    expect({ code, lines }).toEqual({
      code: 2,
      lines: [
        expect.stringMatching(command === 'plan' ? /password is expected in/ : /both say who asks: .*leave/),
      ],
    });
  });
});
