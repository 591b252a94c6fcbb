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

/** Commands that go to a site; pretty-addresses.whole.test.ts has a run, and client/find-index.test.ts other places. */
it.each([['plan', '--only', 'index/name/**', '--deployment', 'auto'], ['init'], ['snapshot']])(
  '%s finds the index of a site with pretty addresses',
  async (command, ...args) => {
    const { url } = await testServer((request, response) =>
      request.url?.startsWith('/wp-json/')
        ? sendJson(response, INDEX)
        : response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
    );
    const to = command === 'plan' ? [] : ['--out', join(testFolder(), 'out')];
    const { code, lines } = await tryMain(command, '--target', url, ...args, ...to);

    expect(lines.filter((line) => line.startsWith('site-conformance: '))).toEqual([]);
    expect(code).toBe(0);
  },
);

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
