import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunMode } from '../../client/mode.ts';
import { testClient } from '../../client/server.fixture.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { workingFiles } from '../../probing/published/working-folder.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { acmePlugin, ORDER, ORDERS, type Plugin, PRICES } from '../../suites/published/plugin.fixture.ts';
import { pluginSite } from '../../suites/published/plugin-site.fixture.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import { readSite } from '../commands/init-site.ts';

type Change = (plugin: Plugin) => void;

function endpoint(plugin: Plugin, route: string, method = 'GET'): Plugin['routes'][string][number] {
  const found = plugin.routes[route]?.find(({ methods }) => methods.includes(method));
  if (found === undefined) throw new Error(`the plugin does not serve ${method} ${route}`);
  return found;
}

/** Makes a contract of what a site publishes, like `init`. */
async function contractOf(url: string, published?: 'binding', writable = false): Promise<Contract> {
  const client = testClient(url);
  const site = await readSite(client, await fetchIndex(client), { most: 100, held: [], isGiven: false });
  const { composition, generated, difference } = site;
  const given = workingFiles(composition, generated, difference, 'shop.example');
  const files = [...given].map(([path, text]) => {
    const own = path === 'deployment.json' ? withPublished(text, published) : text;
    // The edit of the owner.
    const edit = '"kind": "records", "writable": true,';
    return [path, writable ? own.replace('"kind": "records",', edit) : own];
  });
  const folder = testFolder(Object.fromEntries(files));
  return loadContract({
    deployment: join(folder, 'deployment.json'),
    vocabulary: composition.vocabulary,
  });
}

function withPublished(text: string, published: string | undefined): string {
  return JSON.stringify({ ...JSON.parse(text), ...(published !== undefined && { published }) });
}

async function foundOf(change: Change, published?: 'binding'): Promise<string[]> {
  const plugin = acmePlugin();
  const { url } = await pluginSite(() => plugin);
  const contract = await contractOf(url, published);
  change(plugin);
  const { results } = await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    mode: 'read',
    only: ['**/acme/**', 'acme*/**', 'records/**', 'namespaces/**'],
    fuzz: { examples: 5, kept: [] },
  });
  return [...results.values()]
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ verdict, id }) => `${verdict} ${id}`);
}

describe('a plugin beside the contract that was made of it', () => {
  it('passes every conclusive check while unchanged, also if published declarations are binding', async () => {
    expect(await foundOf(() => {})).toEqual([]);
    expect(await foundOf(() => {}, 'binding')).toEqual([]);
  });

  it.each<[string, Change, string[]]>([
    [
      'a narrower enum',
      (plugin) => {
        endpoint(plugin, ORDERS).args.status = { type: 'string', enum: ['any', 'open'], default: 'any' };
      },
      ['fail acme-v1-orders.list/status/enum'],
    ],
    [
      'a dropped default',
      (plugin) => {
        endpoint(plugin, ORDERS).args.status = { type: 'string', enum: ['any', 'open', 'paid'] };
      },
      ['fail acme-v1-orders.list/status/default'],
    ],
    [
      'a removed field',
      (plugin) => {
        delete plugin.schema.properties.total;
      },
      ['fail records/acme-v1-orders.list/properties/total/declared'],
    ],
    [
      'a limit that is no longer enforced',
      (plugin) => {
        plugin.unenforced.add('min_total');
      },
      ['warn acme-v1-orders.list/min_total/type/enforced'],
    ],
    [
      'a list of ids that is no longer enforced, nor are its elements',
      (plugin) => {
        plugin.unenforced.add('include');
      },
      ['warn acme-v1-orders.list/include/items/type/enforced'],
    ],
    [
      'a filter that selects nothing any more',
      (plugin) => {
        plugin.ignored.add('status');
      },
      ['warn acme-v1-orders.list/status/filters/field'],
    ],
    [
      'a lost route',
      (plugin) => {
        delete plugin.routes[PRICES];
      },
      ['fail routes/acme/v1/prices/present'],
    ],
    [
      'a lost method',
      (plugin) => {
        plugin.routes[ORDER] = (plugin.routes[ORDER] ?? []).filter(({ methods }) => methods[0] !== 'DELETE');
      },
      ['fail acme-v1-orders.delete/method/DELETE'],
    ],
    [
      'a context that a field lost',
      (plugin) => {
        plugin.schema.properties.customer = { type: 'string', context: ['edit'] };
      },
      ['fail records/acme-v1-orders.list/properties/customer/contexts'],
    ],
    [
      'a field of another type',
      (plugin) => {
        plugin.schema.properties.total = { type: 'string', context: ['view', 'edit', 'embed'] };
        for (const order of plugin.orders) order.total = String(order.total);
      },
      ['fail records/acme-v1-orders.list/properties/total/type'],
    ],
    [
      'a parameter that is required now',
      (plugin) => {
        endpoint(plugin, ORDERS).args.min_total = {
          type: 'integer',
          minimum: 0,
          maximum: 1000,
          required: true,
        };
      },
      ['fail acme-v1-orders.list/min_total/required'],
    ],
    [
      'a new parameter that is required',
      (plugin) => {
        endpoint(plugin, ORDERS).args.region = { type: 'string', required: true };
      },
      ['fail acme-v1-orders.list/method/asks-no-more'],
    ],
    [
      'a lost batch mark',
      (plugin) => {
        delete endpoint(plugin, ORDERS, 'POST').allow_batch;
      },
      ['fail acme-v1-orders.create/batch-mark'],
    ],
  ])('is reported for %s, as exactly that', async (_what, change, expected) => {
    expect(await foundOf(change)).toEqual(expected);
  });

  it('fails on its published declarations if the deployment makes them binding', async () => {
    const found = await foundOf((plugin) => {
      plugin.unenforced.add('min_total');
    }, 'binding');

    expect(found).toEqual(['fail acme-v1-orders.list/min_total/type/enforced']);
  });

  it('gets malformed input, but for its root, which the same code serves as those of the contract', async () => {
    const { url } = await pluginSite(acmePlugin);
    const ids = allChecks(await contractOf(url)).map(({ id }) => id);

    expect(ids.filter((id) => /^acme.*\/fuzz\/robust$/.test(id))).toEqual([
      'acme-v1-orders.list/fuzz/robust',
      'acme-v1-orders.read/fuzz/robust',
      'acme-v1-prices.get/fuzz/robust',
    ]);
  });

  it('is one finding if no declaration of its namespace is enforced', async () => {
    const found = await foundOf((plugin) => {
      for (const endpoints of Object.values(plugin.routes)) {
        for (const { args } of endpoints) for (const name of Object.keys(args)) plugin.unenforced.add(name);
      }
    });

    expect(found).toEqual(['warn namespaces/acme/v1/enforced']);
  });
});

const TAG = 'sc-published-test';

async function foundOfWrites(plugin: Plugin, mode: RunMode = 'write', only = '/own-record') {
  const { url } = await pluginSite(() => plugin);
  const contract = await contractOf(url, undefined, true);
  const { results } = await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    mode,
    user: { user: 'ann', password: 'secret words' },
    only: [`acme-v1-orders.*${only}`],
    journal: { path: join(testFolder(), 'journal.ndjson'), tag: TAG },
  });
  return [...results.values()].map(({ verdict, id }) => `${verdict} ${id}`);
}

describe('a published resource that its owner has opened for writing', () => {
  it('is written to, read back and restored', async () => {
    const plugin = acmePlugin();

    expect(await foundOfWrites(plugin)).toEqual([
      'pass acme-v1-orders.create/own-record',
      'pass acme-v1-orders.update/own-record',
      'pass acme-v1-orders.delete/own-record',
    ]);
    expect(plugin.orders).toEqual(acmePlugin().orders);
  });

  it('gets only records with the tag in mode full too, keeps its own, and is restored', async () => {
    const plugin = acmePlugin();
    const untagged: unknown[] = [];
    const push = plugin.orders.push.bind(plugin.orders);
    plugin.orders.push = (...orders) => {
      untagged.push(...orders.filter((one) => !JSON.stringify(one).includes(TAG)));
      return push(...orders);
    };
    const found = await foundOfWrites(plugin, 'full', '/**');

    expect(found).toContain('pass acme-v1-orders.create/form');
    expect(found).toContain('pass acme-v1-orders.delete/answers/user');
    expect(found).toContain('pass acme-v1-orders.update/total/minimum/accepted');
    expect(untagged).toEqual([]);
    expect([...plugin.orders]).toEqual(acmePlugin().orders);
  });

  it.each([
    ['what is created reads back otherwise', 'fields', 'warn acme-v1-orders.create/own-record'],
    ['a change is answered and not made', 'POST', 'warn acme-v1-orders.update/own-record'],
    ['a deletion is answered and not made', 'DELETE', 'warn acme-v1-orders.delete/own-record'],
  ])('is found to differ where %s', async (_how, forgotten, expected) => {
    const plugin = acmePlugin();
    plugin.forgotten.add(forgotten);

    expect(await foundOfWrites(plugin)).toContain(expected);
  });
});
