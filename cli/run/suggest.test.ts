import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showBase } from '../../client/address.ts';
import { closedAfter } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { tryMain, tryMainAs } from '../try-main.fixture.ts';
import { resolveTargets } from './configure.ts';
import { argumentsOf } from './shell-arguments.fixture.ts';
import { againLine, cleanLine, programAnywhere, repeatLine } from './suggest.ts';

const ENV = { SITE_CONFORMANCE_PASSWORD: 'abcd efgh' };

function resolved(settings: Parameters<typeof resolveTargets>[0]): RunConfig {
  const [target] = resolveTargets(settings, {}, ENV);
  if (target === undefined) throw new Error('no target');
  return target;
}

describe('repeatLine', () => {
  it('contains all settings of the run, quoted for a shell, and no secret', () => {
    const target = resolved({
      target: "https://staging.example.org/it's/",
      deployment: 'core',
      vocabulary: 'wordpress',
      mode: 'write',
      confirmHost: 'staging.example.org',
      user: 'Jane Doe; $(id)',
      header: ['X-Gate: open-sesame'],
      seed: 7,
    });
    const line = repeatLine(target, 'posts.list/per_page/maximum');

    expect(line).not.toMatch(/abcd|sesame/);
    expect(argumentsOf(line)).toEqual([
      ...['run', '--header', 'x-gate: ', '--target', showBase(target.base), '--deployment', 'core'],
      ...['--vocabulary', 'wordpress', '--mode', 'write', '--user', 'Jane Doe; $(id)'],
      ...['--confirm-host', 'staging.example.org', '--seed', '7', '--only', 'posts.list/per_page/maximum'],
    ]);
  });

  it('takes the password from the same variable as the run, and accepts any certificate if the run did', () => {
    const config = { targets: { shop: { url: 'https://127.0.0.1/', user: 'Jane', passwordFrom: 'SHOP' } } };
    const [target] = resolveTargets({ target: 'shop', insecure: true }, config, { SHOP: 'abcd' });
    const line = target === undefined ? '' : repeatLine(target, 'a/b');

    expect(line).toMatch(/^SITE_CONFORMANCE_PASSWORD="\$SHOP" npm .* run --insecure --target /);
  });
});

it('againLine can be pasted anywhere: the program, the results and every file are absolute', () => {
  const target = resolved({
    target: 'http://127.0.0.1:8080/',
    deployment: 'my site.json',
    hints: 'hints.json',
    checks: ['own.ts'],
    asClient: ['app.client.json'],
    waivers: ['known', 'waivers.json'],
    out: 'out',
    seed: 7,
  });
  const line = againLine(target, join('out', 'my run'));
  const here = (name: string): string => resolve(name);

  expect(line).toMatch(/^npm --prefix \/\S+ start -- run /);
  expect(argumentsOf(line)).toEqual([
    ...['run', '--target', showBase(target.base), '--deployment', here('my site.json'), '--mode', 'read'],
    ...['--hints', here('hints.json'), '--checks', here('own.ts')],
    ...['--as-client', here('app.client.json')],
    ...['--waivers', 'known', here('waivers.json'), '--seed', '7'],
    ...['--out', here('out'), '--rerun', here('out/my run')],
  ]);
  expect(programAnywhere('/srv/shop/node_modules/site-conformance/dist')).toEqual([
    'node',
    '/srv/shop/node_modules/site-conformance/dist/cli/site-conformance.js',
  ]);
});

it('cleanLine names folder and host, and removes what is left when it is run', {
  timeout: 30_000,
}, async () => {
  const site = await closedAfter(serve({ deployment: 'core' }));
  const head = { run: 'r1', tag: 'sc-r1', target: site.url, deployment: 'core', vocabulary: 'neutral' };
  const entry = { entry: 'run', ...head, user: site.user, started: '2025-03-04T05:06:07Z', pid: 1 };
  const journal = `${JSON.stringify(entry)}\n`;
  const out = join(testFolder({ 'my reports/journals/r1.ndjson': journal }), 'my reports');
  const args = argumentsOf(cleanLine(head, out));
  const { code, lines } = await tryMainAs(site, ...args);

  expect({ code, lines }).toEqual({ code: 0, lines: [] });
  expect(readdirSync(join(out, 'journals'))).toEqual([]);
  const reached = { insecure: true, headers: ['x-gate'], passwordFrom: 'SHOP' };
  expect(cleanLine({ ...head, reached }, out)).toMatch(
    /^SITE_CONFORMANCE_PASSWORD="\$SHOP" npm .* clean --header 'x-gate: '"\$SECRET" --insecure --run r1 /,
  );
  expect(argumentsOf(cleanLine({ run: 'r1', target: 'https://www.example.org/' }, out)).slice(-2)).toEqual([
    '--confirm-host',
    'www.example.org',
  ]);
  expect((await tryMain(...args)).code).toBe(2);
});
