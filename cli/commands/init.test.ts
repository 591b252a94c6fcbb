import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sendJson, type TestServer, testServer } from '../../client/server.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { acmePlugin, indexOf, ORDERS, type Plugin } from '../../suites/published/plugin.fixture.ts';
import { pluginSite } from '../../suites/published/plugin-site.fixture.ts';
import { refusal, tryMain } from '../try-main.fixture.ts';

const OPERATIONS = 'operations/acme-v1.json';

interface Started {
  readonly url: string;
  readonly folder: string;
  readonly plugin: Plugin;
  init(...more: string[]): ReturnType<typeof tryMain>;
  read(path: string): string;
}

async function started(): Promise<Started> {
  const plugin = acmePlugin();
  const { url } = await pluginSite(() => plugin);
  const folder = join(testFolder(), 'shop');
  return {
    url,
    folder,
    plugin,
    init: (...more) => tryMain('init', '--target', url, '--out', folder, ...more),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}

function narrow({ routes }: Plugin): void {
  const [list] = routes[ORDERS] ?? [];
  if (list !== undefined) list.args.status = { type: 'string', enum: ['any', 'open'], default: 'any' };
}

describe('init', () => {
  it('makes a folder that is all a run and a plan need, from anywhere', async () => {
    const { init, folder } = await started();

    expect(await init()).toMatchObject({ code: 0, lines: [] });

    const config = join(folder, 'site-conformance.config.json');
    expect(await tryMain('plan', '--config', config, '--only', 'acme-v1-orders.**')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('acme-v1-orders.list/status/enum'),
    });
  });

  it('reports what the site publishes, and nothing the second time if nothing changed', async () => {
    const { init, read } = await started();

    const first = await init();
    const files = [read(OPERATIONS), read('deployment.json')];
    const second = await init();

    expect(first.stdout).toContain('acme/v1: 6 operations, 1 resource');
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('nothing has changed');
    expect([read(OPERATIONS), read('deployment.json')]).toEqual(files);
  });

  it('shows what the site has changed, and writes it with --yes', async () => {
    const { init, read, plugin } = await started();
    await init();
    const before = read(OPERATIONS);
    narrow(plugin);

    const shown = await init();

    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^-\s+"paid"$/m);
    expect(shown.stdout).toContain('nothing is written: add --yes to write it');
    expect(read(OPERATIONS)).toBe(before);
    expect(await init('--yes')).toMatchObject({ code: 0 });
    expect(read(OPERATIONS)).not.toContain('"paid"\n            ],\n            "default"');
    expect((await init('--check')).code).toBe(0);
  });

  it('keeps changes of the owner, even if the site has changed the same', async () => {
    const { init, read, folder, plugin } = await started();
    await init();
    const mine = read(OPERATIONS)
      .replace('"effect": "alters-site"', '"effect": "writes"')
      .replace('"any",', '"any", "mine",');
    writeFileSync(join(folder, OPERATIONS), mine);
    expect((await init('--check')).code).toBe(0);
    narrow(plugin);

    const { stdout } = await init('--yes');

    expect(stdout).toContain(
      'conflict: operations > acme-v1-orders.list > parameters > properties > status > enum',
    );
    expect(read(OPERATIONS)).toContain('"mine"');
    expect(read(OPERATIONS)).toContain('"effect": "writes"');
  });

  it('names the target with its port, to distinguish sites of one host', async () => {
    const { init, read, url } = await started();
    await init();

    expect(JSON.parse(read('site-conformance.config.json')).targets).toHaveProperty([
      `127.0.0.1-${new URL(url).port}`,
    ]);
  });

  it('writes nothing with --check, and reports by its exit code that it would', async () => {
    const { init, folder } = await started();

    expect(await init('--check')).toMatchObject({ code: 1 });
    expect(existsSync(folder)).toBe(false);
  });

  it('reaches the site as the configuration in the folder says: an unchanged site has no changes for its user', async () => {
    vi.stubEnv('SITE_CONFORMANCE_PASSWORD', 'secret of ann');
    const plugin = acmePlugin();
    const server: TestServer = await testServer((request, response) => {
      const isUser = request.headers.authorization !== undefined;
      sendJson(response, indexOf(isUser ? plugin : { ...plugin, routes: {} }, server.url));
    });
    const folder = join(testFolder(), 'shop');
    const { url } = server;
    expect((await tryMain('init', '--target', url, '--user', 'ann', '--out', folder)).code).toBe(0);

    expect(await tryMain('init', '--target', url, '--out', folder, '--check')).toMatchObject({ code: 0 });
    expect(await tryMain('init', '--out', folder, '--check')).toMatchObject({ code: 0 });
    vi.stubEnv('SITE_CONFORMANCE_PASSWORD', '');
    expect((await tryMain('init', '--out', folder, '--check')).lines.join()).toContain(
      '--user ann: the password',
    );
  });

  it('requires the address of a site if the folder has none', async () => {
    expect(await tryMain('init', '--out', testFolder())).toMatchObject(
      refusal('--target: the address of a site is missing'),
    );
  });

  it('refuses a folder with the contract of another site', async () => {
    const { init, folder } = await started();
    await init();
    const other = await pluginSite(acmePlugin);

    expect(await tryMain('init', '--target', other.url, '--out', folder)).toMatchObject(
      refusal('the contract there is of'),
    );
  });

  it('refuses a user without a password, and a folder with a file of somebody else', async () => {
    const { init, folder } = await started();

    expect(await init('--user', 'ann')).toMatchObject({ code: 2 });
    await init();
    writeFileSync(join(folder, '.site-conformance/generated', OPERATIONS), '{');
    writeFileSync(join(folder, OPERATIONS), 'mine');
    expect(await init()).toMatchObject(refusal('is not JSON; correct it, or remove it'));
  });

  it('ends with one line if there is no index', async () => {
    const { url } = await testServer((_request, response) => sendJson(response, { no: 'index' }));

    const { code, lines } = await tryMain('init', '--target', url, '--out', testFolder());

    expect(code).toBe(3);
    expect(lines).toHaveLength(1);
  });

  it('escapes hidden characters in names, and writes no file with such a name', async () => {
    const plugin = acmePlugin();
    plugin.routes['/acme/v1/\u001b[31mred'] = [{ methods: ['GET'], args: {} }];
    const { url } = await pluginSite(() => plugin);

    const { code, stdout } = await tryMain('init', '--target', url, '--out', testFolder());

    expect(code).toBe(0);
    expect(stdout).toContain('route-not-a-template: /acme/v1/\\x1b[31mred');
    expect(stdout).not.toContain('\u001b');
  });
});
