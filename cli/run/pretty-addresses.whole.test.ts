import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { proxiedSite } from '../../sites/proxied-site.fixture.ts';
import { forward, type ProxyRequest } from '../../sites/proxy.ts';
import { unpretty } from '../../sites/unpretty.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, tryMainAs } from '../try-main.fixture.ts';

it('checks a site that has pretty addresses only, and removes what it has written', {
  timeout: 120_000,
}, async () => {
  const asked: ProxyRequest[] = [];
  const site = await closedAfter(
    proxiedSite({ deployment: 'core' }, (request) => {
      asked.push(request);
      return forward(unpretty(request));
    }),
  );
  const out = testFolder();
  const { code, stdout, lines } = await tryMainAs(
    site,
    ...['run', site.url, '--user', site.user, '--mode', 'write', '--out', out, '--reporter', 'har'],
    // Named, so that the index is asked for once.
    ...[
      '--vocabulary',
      'neutral',
      '--only',
      'index/**',
      'namespaces/**',
      'posts.*/{answers,method,record}/**',
      'posts.create/title/**',
      'posts.list/search/**',
      'batch/**',
    ],
  );
  const result = resultIn(out);
  const har = readFileSync(join(out, 'exchanges.har'), 'utf8');

  expect(stdout).toMatch(/^NOT CONFORMANT/m);
  expect(code).toBe(1);
  expect(lines).toContain(`the index is found below ${site.url}/wp-json/: every request goes there`);
  expect(result.target.url).toBe(`${site.url}/wp-json/`);
  // Everything else conforms.
  const failed = result.checks.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['index/routes/address']);
  expect(result.writing).toMatchObject({ left: [], doubts: [] });
  expect(result.writing?.created).toBeGreaterThan(0);
  const elsewhere = asked.filter(({ url }) => !url.pathname.startsWith('/wp-json/'));
  expect(elsewhere.map(({ method }) => method)).toEqual(['GET', 'GET']);
  expect(har).toContain(`${site.url}/wp-json/`);
  expect(har).not.toContain(site.password);
});
