import { describe, expect, it } from 'vitest';
import { closedAfter, sendJson, testServer } from '../../client/server.fixture.ts';
import { readRenaming, renamedSite } from '../../sites/renamed-site.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, tryMain, tryMainAs, tryRun } from '../try-main.fixture.ts';
import { composeTargets } from './compose-target.ts';
import { chooseTargets, resolveTargets } from './configure.ts';
import { readyTarget } from './ready-target.ts';
import { beginWriting } from './writing-run.ts';

async function vendorSite(deployment: string): Promise<string> {
  const site = await closedAfter(renamedSite(deployment, readRenaming('wordpress')));
  return site.url;
}

const CHOSEN =
  'deployment auto: core, cms-abilities-v1, cms-block-editor-v1, cms-site-health-v1, cms-v2, oembed-1.0; vocabulary wordpress';

describe('a vocabulary that nobody names', { timeout: 60_000 }, () => {
  it('is that of the site, whose words are accepted', async () => {
    const [url, out] = [await vendorSite('core'), testFolder()];
    const only = ['--only', 'index/**', '/wp/v2/posts per_page'];
    const { code, lines } = await tryMain('run', url, ...only, '--out', out);
    const { target } = resultIn(out);

    expect({ code, lines: lines[0] }).toEqual({ code: 0, lines: 'vocabulary auto: wordpress' });
    expect(target).toMatchObject({ url, deployment: 'core', vocabulary: 'wordpress' });
  });

  it('stays neutral, silently, if the site lists no known namespace', async () => {
    const server = await testServer((_request, response) =>
      sendJson(response, { namespaces: ['shop/v1'], routes: {} }),
    );
    const said: string[] = [];
    const targets = resolveTargets({ target: server.url }, {}, {});
    const [target] = await composeTargets(targets, (line) => said.push(line));

    expect(target).toMatchObject({ deployment: 'core', vocabulary: 'neutral' });
    expect(said).toEqual([]);
  });
});

describe('--deployment auto', { timeout: 60_000 }, () => {
  it('checks a site against what it serves, and shows and stores the choice', async () => {
    const [url, out] = [await vendorSite('core'), testFolder()];
    const about = ['--target', url, '--deployment', 'auto', '--only', 'index/**', '--out', out];
    const { code, stdout, lines } = await tryMain('run', ...about);
    const result = resultIn(out);

    expect({ code, lines: lines[0] }).toEqual({ code: 0, lines: CHOSEN });
    expect(result.target).toMatchObject({
      deployment: 'auto',
      vocabulary: 'wordpress',
      composed: { operations: expect.arrayContaining(['core', 'cms-v2']), features: [] },
    });
    expect(result.run.requests).toBe(2);
    expect(stdout).toContain('auto (core, cms-abilities-v1');
  });

  it('lists the checks for a site, with a request for its index only', async () => {
    const server = await testServer((_request, response) =>
      sendJson(response, { namespaces: ['yoast/v1', 'shop/v1'], routes: {} }),
    );
    const about = ['--target', server.url, '--deployment', 'auto'];
    const { code, stdout, lines } = await tryMain('plan', ...about, '--json');

    expect(code).toBe(0);
    expect(lines[0]).toMatch(
      /^deployment auto: core, seo-v1; .*; not served: .*; 1 namespace that the contract does not/,
    );
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toContain('seo.file-size/url/type');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it('finds the vocabulary alone', async () => {
    const url = await vendorSite('core');
    const about = ['--deployment', 'core', '--vocabulary', 'auto', '--only', 'index/name'];
    const { code, lines } = await tryMain('plan', '--target', url, ...about);

    expect({ code, lines }).toEqual({ code: 0, lines: ['vocabulary auto: wordpress'] });
  });

  it('exports what a site serves', async () => {
    const about = ['--target', await vendorSite('core'), '--deployment', 'auto'];
    const { code, stdout } = await tryMain('export', '--format', 'openapi', ...about);

    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout).paths)).toContain('/index.php#/wp/v2/posts');
  });

  it('stores its choice in the journal, so that a killed run can be cleaned up', async () => {
    const site = await closedAfter(renamedSite('core', readRenaming('wordpress')));
    const out = testFolder();
    const env = { SITE_CONFORMANCE_PASSWORD: site.password };
    const resolved = resolveTargets(
      { target: site.url, deployment: 'auto', mode: 'write', user: site.user },
      {},
      env,
    );
    const [target] = chooseTargets(await composeTargets(resolved, () => undefined), env);
    if (target === undefined) throw new Error('no target');
    const { config, close } = await readyTarget(target, new AbortController().signal);
    const run = { id: 'killed', started: new Date().toISOString() };
    await beginWriting(config, { run, target: { url: site.url } }, out, () => undefined);
    await close();

    expect(await tryMainAs(site, 'clean', '--run', run.id, '--out', out)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 records of run .* removed from /),
    });
  });

  it('ends with one line if nothing that a site serves is known', async () => {
    const server = await testServer((_request, response) =>
      sendJson(response, { namespaces: ['shop/v1', 'x\u001b[31m'], routes: {} }),
    );
    const { code, lines, left } = await tryRun('--target', server.url, '--deployment', 'auto');

    expect({ code, lines, left }).toEqual({
      code: 3,
      lines: [
        expect.stringMatching(/serves none of the 17 namespaces .* \(it lists shop\/v1, x\\x1b\[31m\)/),
      ],
      left: expect.anything(),
    });
  });

  it.each(['--deployment', '--vocabulary'])('needs a site to read: %s', async (option) => {
    expect(await tryRun(option, 'auto')).toMatchObject({
      code: 2,
      lines: [`site-conformance: ${option} auto is found in the index of a site: add --target`],
      left: [],
    });
  });
});
