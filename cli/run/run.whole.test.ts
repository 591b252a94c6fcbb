import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { closedAfter, sendJson, testServer } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { resultIn, tryMain, tryMainAs } from '../try-main.fixture.ts';
import { argumentsOf } from './shell-arguments.fixture.ts';
import { at, wrongDefault, wrongSite } from './wrong-site.fixture.ts';

const PATIENT = { timeout: 60_000 };

describe('run', PATIENT, () => {
  it('ends with 1 for a wrong index, and reports exactly what is wrong', async () => {
    const out = testFolder();
    const deployment = smallDeployment();
    const site = await wrongSite(deployment, (index) => {
      const args = at(index, 'routes', '/cms/v2/posts', 'endpoints', 0, 'args');
      const orderby = at(args, 'orderby');
      at(args, 'per_page').default = 20;
      orderby.enum = [...(Array.isArray(orderby.enum) ? orderby.enum : []), 'rand'];
      index.name = 5;
      const gone = 'cms-site-health/v1';
      index.namespaces = Array.isArray(index.namespaces)
        ? index.namespaces.filter((name) => name !== gone)
        : [];
      const routes = at(index, 'routes');
      for (const route of Object.keys(routes)) {
        if (route.startsWith(`/${gone}`) || route === '/oembed/1.0/proxy')
          Reflect.deleteProperty(routes, route);
      }
    });
    const about = ['--target', site.url, '--deployment', deployment, '--user', site.user, '--seed', '7'];
    const { code, stdout } = await tryMainAs(site, 'run', '--out', out, ...about);
    const { checks, conclusion } = resultIn(out);
    const wrong = checks.filter(({ verdict }) => !['pass', 'skip', 'inconclusive'].includes(verdict));

    expect(wrong.map(({ id }) => id).toSorted()).toEqual([
      'index/name/type',
      'namespaces/cms-site-health/v1/served',
      'posts.list/orderby/enum',
      'posts.list/per_page/default',
      'routes/oembed/1.0/proxy/present',
    ]);
    expect(stdout).toContain('orderby has another enum, wider: "rand" also allowed');
    expect({ code, conclusion }).toEqual({ code: 1, conclusion: 'nonconformant' });
  });

  it('prints the result and nothing else with --json, and the rest on standard error', async () => {
    const out = testFolder();
    const deployment = smallDeployment();
    const site = await closedAfter(serve({ deployment }));
    const selection = [site.url, '--deployment', deployment, '--only', 'index/name/**'];
    const { code, stdout, lines } = await tryMain('run', ...selection, '--json', '--out', out);

    expect(JSON.parse(stdout)).toEqual(resultIn(out));
    expect(lines.join('\n')).toContain('CONFORMANT');
    expect(code).toBe(0);
  });

  it('ends with 3 when nothing that was selected could run', async () => {
    const out = testFolder();
    const deployment = smallDeployment();
    const site = await closedAfter(serve({ deployment }));
    const args = ['--target', site.url, '--deployment', deployment, '--only', 'posts.list/answers/user'];
    const { code, stdout } = await tryMain('run', '--out', out, ...args);

    expect(code).toBe(3);
    expect(stdout).toContain('INCONCLUSIVE (PARTIAL)  no check ran');
    expect(resultIn(out).counts.pass).toBe(0);
  });

  it('prints for a failure the command that reproduces only that failure', async () => {
    const { deployment, ...site } = await wrongDefault();
    const out = testFolder();
    const about = ['--target', site.url, '--deployment', deployment, '--only', 'posts.list/per_page/**'];
    const first = await tryMain('run', ...about, '--out', out);
    const line = /^ {2}(npm .*)$/m.exec(first.stdout)?.[1] ?? '';
    const again = await tryMain(...argumentsOf(line), '--out', out);

    expect({ first: first.code, again: again.code }).toEqual({ first: 1, again: 1 });
    expect(again.stdout).toContain('NOT CONFORMANT (PARTIAL)  1 of 1 check failed');
  });
});

describe('an interrupted run', PATIENT, () => {
  it('reports the results so far', async () => {
    const out = testFolder();
    const server = await testServer((request, response) => {
      if (request.url?.endsWith('?rest_route=/') === true && server.seen.length === 1) {
        sendJson(response, { namespaces: ['cms/v2'], routes: { '/cms/v2': { namespace: 'cms/v2' } } });
      }
    });
    // A request without an answer would delay the end beyond the timeout of this test.
    const about = ['--target', server.url, '--deployment', smallDeployment(), '--timeout', '600'];
    // With a vocabulary, the second request is that of a check.
    const { child, ended } = spawnMain(['run', '--out', out, ...about, '--vocabulary', 'neutral']);
    while (server.seen.length < 2) await sleep(20);
    child.kill('SIGINT');
    const { code, stdout } = await ended;

    expect(stdout).toContain('(interrupted)');
    expect(code).toBe(1);
    expect(resultIn(out).run.ended).toBe('interrupted');
  });

  it('reports an interruption while it waits for the index of a site whose deployment nobody names', async () => {
    const out = testFolder();
    const server = await testServer(() => undefined);
    const { child, ended } = spawnMain(['run', '--out', out, '--target', server.url, '--deployment', 'auto']);
    while (server.seen.length === 0) await sleep(20);
    child.kill('SIGTERM');

    expect(await ended).toEqual({
      code: 3,
      stdout: '',
      stderr: 'site-conformance: interrupted before the first check\n',
    });
    expect(resultIn(out)).toMatchObject({
      conclusion: 'inconclusive',
      reason: 'interrupted before the first check',
    });
  });
});
