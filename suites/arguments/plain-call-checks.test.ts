import { describe, expect, it } from 'vitest';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { runOnReference } from '../../prove/kill.ts';
import { handling, sending } from '../../sites/alterations/handling.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { Text } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../all-checks.ts';

const STATED = loadContract({ deployment: 'b', vocabulary: 'neutral' });

/** The verdict on the plain calls of an operation, where the site handles it in its own way. */
async function verdictOf(...on: Parameters<typeof resultOf>): Promise<Verdict | undefined> {
  return (await resultOf(...on))?.verdict;
}

async function resultOf(
  id: string,
  handle: Parameters<typeof handling>[1],
  contract: Contract = STATED,
): Promise<CheckResult | undefined> {
  const check = `${id}/answers/user`;
  return (await resultsOf(id, [check], handle, contract)).get(check);
}

async function resultsOf(
  id: string,
  only: readonly string[],
  handle: Parameters<typeof handling>[1],
  contract: Contract = STATED,
): Promise<ReadonlyMap<string, CheckResult>> {
  const { results } = await runOnReference({
    deployment: 'b',
    alterations: [{ behaviour: handling([id], handle) }],
    contract,
    checks: allChecks(contract),
    mode: 'full',
    only,
  });
  return results;
}

function refusing(refusal: Refusal): Parameters<typeof handling>[1] {
  return () => {
    throw refusal;
  };
}

describe('an operation that answers 501', () => {
  const id = 'cache.clear-all-caches';
  const published: Contract = {
    ...STATED,
    operations: STATED.operations.map((one) => (one.id === id ? { ...one, basis: 'published' } : one)),
  };

  it.each<[string, Contract, Verdict]>([
    ['fails if the specification states it', STATED, 'fail'],
    [
      'is inconclusive if only the site declares it, because it may require other arguments',
      published,
      'inconclusive',
    ],
  ])('%s', async (_, contract, verdict) => {
    const refusal = new Refusal('trash_not_supported', 'There is no trash.', 501);

    expect(await verdictOf(id, refusing(refusal), contract)).toBe(verdict);
  });
});

describe('an operation that answers like a route that does not exist', () => {
  const noRoute = new Refusal(
    'rest_no_route',
    'No route was found matching the URL and request method.',
    404,
  );
  const notFound = new Refusal('no_statistics', 'There are no statistics yet.', 404);

  it.each<[string, string, Refusal, Verdict]>([
    ['is inconclusive', 'seo.statistics', noRoute, 'inconclusive'],
    ['passes if the site refuses it without its required argument', 'seo.file-size', noRoute, 'pass'],
    ['is inconclusive if it alters the site', 'cache.clear-all-caches', noRoute, 'inconclusive'],
    ['passes if it finds nothing in its own words', 'seo.statistics', notFound, 'pass'],
    ['passes with path parameters, which may name nothing', 'seo.import', noRoute, 'pass'],
  ])('%s', async (_, id, refusal, verdict) => {
    expect(await verdictOf(id, refusing(refusal))).toBe(verdict);
  });
});

describe('a list of the children of a record', () => {
  // What status hides children from a caller is silent, and a record may have gone.
  it.each<[Verdict, number]>([
    ['fail', 400],
    ['fail', 422],
    ['pass', 401],
    ['pass', 403],
    ['pass', 404],
    ['pass', 410],
  ])('is a %s if it answers %i for each record that has some', async (verdict, status) => {
    const found = await verdictOf('post-revisions.list', async (call, next) => {
      const shown = await next(call);
      if (Array.isArray(shown.body) && shown.body.length > 0) throw new Refusal('not_so', 'No.', status);
      return shown;
    });

    expect(found).toBe(verdict);
  });
});

describe('an operation with several methods', () => {
  it.each([
    ['PATCH', 405, 'fail'],
    ['PUT', 500, 'fail'],
    ['PATCH', 400, 'pass'],
  ] as const)('is called with each: %s answers %i', async (method, status, verdict) => {
    const found = await verdictOf('builder-one.settings.update', (call, next) => {
      if (call.request.method === method) throw new Refusal('not_so', 'No.', status);
      return next(call);
    });

    expect(found).toBe(verdict);
  });
});

it('names the method that an operation of the index answers 405 to', async () => {
  const found = await resultOf('seo.statistics', refusing(new Refusal('no_stream', 'No stream.', 405)));

  expect(found?.message).toBe('seo.statistics is in the index, and answers that it does not serve GET');
});

describe('an operation whose answer names what is in the way', () => {
  const error = '<b>Warning</b>:  No key "a" in <b>/plugins/slider.php</b> on line <b>12</b>';
  const printed = '"Warning:  No key \\"a\\" in /plugins/slider.php on line 12"';

  it.each<[string, number, string, Verdict, string]>([
    [
      'an error of PHP',
      200,
      `<br />\n${error}<br />\n{}`,
      'fail',
      `seo.statistics answers without JSON: ${printed}`,
    ],
    [
      'a fatal one',
      500,
      `${error}\n<title>Error</title>`,
      'fail',
      `seo.statistics makes the server fail: ${printed}`,
    ],
    ['a page of a server error', 500, '<title>Error</title>', 'fail', 'seo.statistics makes the server fail'],
    ['a login', 200, '<title>Log in</title>', 'fail', 'seo.statistics answers without JSON: "Log in"'],
    [
      'a firewall',
      503,
      '<title>\nFirewall\n</title>',
      'inconclusive',
      'throttled each time it was asked: "Firewall"',
    ],
  ])('is reported with %s', async (_, status, page, verdict, message) => {
    const body = new Text('text/html', page);
    const answer = { status, headers: { 'Retry-After': '0' }, body };

    expect(await resultOf('seo.statistics', () => answer)).toMatchObject({ verdict, message });
  });

  it.each([
    ['seo.statistics', 301, 'fail'],
    ['seo.statistics', 302, 'inconclusive'],
    ['posts.list', 302, 'fail'],
  ] as const)('is shown with the address that it redirects to: %s with %i', async (id, status, verdict) => {
    const answer = { status, headers: { Location: '/log-in' }, body: new Text('text/html', '') };
    const message = `${id} redirects to another address: "/log-in"`;

    expect(await resultOf(id, () => answer)).toMatchObject({ verdict, message });
  });
});

describe('an operation that fails for everybody', () => {
  it('is reported once', async () => {
    const id = 'seo.statistics';
    const results = await resultsOf(id, [`${id}/answers/*`], refusing(new Refusal('failed', 'No.', 500)));

    expect(results.get(`${id}/answers/anonymous`)?.verdict).toBe('fail');
    expect(results.get(`${id}/answers/user`)?.message).toBe(`blocked by ${id}/answers/anonymous`);
  });
});

describe('a site that redirects every route', () => {
  it('is reported once, by the root of a namespace', async () => {
    const behaviour = sending((shown, { route }) => {
      if (route === '/') return shown;
      return { status: 308, headers: { Location: `?rest_route=${route}/` }, body: new Text('text/html', '') };
    });
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [{ behaviour }],
      contract: STATED,
      checks: allChecks(STATED),
      mode: 'read',
      only: ['namespaces/seo/v1/root', '{seo.statistics,seo.file-size}/answers/*'],
    });

    expect([...results.values()].filter(({ verdict }) => verdict === 'fail')).toMatchObject([
      { id: 'namespaces/seo/v1/root', message: 'the root of seo/v1 redirects: "?rest_route=/seo/v1/"' },
    ]);
    expect(results.get('seo.statistics/answers/anonymous')?.message).toBe(
      'blocked by namespaces/seo/v1/root',
    );
  });
});
