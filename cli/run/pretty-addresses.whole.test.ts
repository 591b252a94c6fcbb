import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RunResult } from '../../engine/result.ts';
import { forward, type ProxyRequest, proxiedSite } from '../../sites/proxy.ts';
import { unpretty } from '../../sites/unpretty.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { tryMain } from '../try-main.fixture.ts';

it('checks a site that has pretty addresses only, and removes what it has written', {
  timeout: 120_000,
}, async () => {
  const asked: ProxyRequest[] = [];
  const site = await proxiedSite({ deployment: 'core' }, (request) => {
    asked.push(request);
    return forward(unpretty(request));
  });
  onTestFinished(() => site.close());
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', site.password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = testFolder();
  const { code, stdout, lines } = await tryMain(
    ...['run', site.url, '--user', site.user, '--mode', 'write', '--out', out, '--reporter', 'har'],
    // Named, so that the index is asked for once.
    ...['--vocabulary', 'neutral', '--only', 'index/**', 'namespaces/**', 'posts.*/**', 'batch.*/**'],
  );
  const result: RunResult = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  const har = readFileSync(join(out, 'exchanges.har'), 'utf8');

  expect(stdout).toMatch(/^CONFORMANT/m);
  expect(code).toBe(0);
  expect(lines).toContain(`the index is found below ${site.url}/wp-json/: every request goes there`);
  expect(result.target.url).toBe(`${site.url}/wp-json/`);
  expect(result.counts).toMatchObject({ fail: 0 });
  expect(result.writing).toMatchObject({ left: [], doubts: [] });
  expect(result.writing?.created).toBeGreaterThan(0);
  const elsewhere = asked.filter(({ url }) => !url.pathname.startsWith('/wp-json/'));
  expect(elsewhere.map(({ method }) => method)).toEqual(['GET']);
  expect(har).toContain(`${site.url}/wp-json/`);
  expect(har).not.toContain(site.password);
});
