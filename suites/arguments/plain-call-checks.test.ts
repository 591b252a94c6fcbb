import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../engine/result.ts';
import { runOnReference } from '../../prove/kill.ts';
import { handling } from '../../sites/alterations/handling.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../all-checks.ts';

const ID = 'cache.clear-all-caches';

describe('an operation that answers 501', () => {
  const stated = loadContract({ deployment: 'b', vocabulary: 'neutral' });
  const published: Contract = {
    ...stated,
    operations: stated.operations.map((one) => (one.id === ID ? { ...one, basis: 'published' } : one)),
  };

  it.each<[string, Contract, Verdict]>([
    ['fails if the specification states it', stated, 'fail'],
    [
      'is inconclusive if only the site declares it, because it may require other arguments',
      published,
      'inconclusive',
    ],
  ])('%s', async (_, contract, verdict) => {
    const behaviour = handling([ID], () => {
      throw new Refusal('trash_not_supported', 'There is no trash.', 501);
    });
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [{ behaviour }],
      contract,
      checks: allChecks(contract),
      mode: 'full',
      only: [`${ID}/answers/user`],
    });

    expect(results.get(`${ID}/answers/user`)?.verdict).toBe(verdict);
  });
});

describe('an operation that answers like a route that does not exist', () => {
  const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });

  it.each<[string, string, () => Refusal, Verdict]>([
    ['is inconclusive', 'seo.statistics', noRoute, 'inconclusive'],
    ['passes if the site refuses it without its required argument', 'seo.file-size', noRoute, 'pass'],
    ['is inconclusive if it alters the site', 'cache.clear-all-caches', noRoute, 'inconclusive'],
    ['passes if it finds nothing in its own words', 'seo.statistics', notFound, 'pass'],
    ['passes with path parameters, which may name nothing', 'seo.import', noRoute, 'pass'],
  ])('%s', async (_, id, refusal, verdict) => {
    const behaviour = handling([id], () => {
      throw refusal();
    });
    const check = `${id}/answers/user`;
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [{ behaviour }],
      contract,
      checks: allChecks(contract),
      mode: 'full',
      only: [check],
    });

    expect(results.get(check)?.verdict).toBe(verdict);
  });

  function noRoute(): Refusal {
    return new Refusal('rest_no_route', 'No route was found matching the URL and request method.', 404);
  }

  function notFound(): Refusal {
    return new Refusal('no_statistics', 'There are no statistics yet.', 404);
  }
});

describe('an operation with several methods', () => {
  const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });

  it.each([
    ['PATCH', 405, 'fail'],
    ['PUT', 500, 'fail'],
    ['PATCH', 400, 'pass'],
  ] as const)('is called with each: %s answers %i', async (method, status, verdict) => {
    const behaviour = handling(['builder-one.settings.update'], (call, next) => {
      if (call.request.method === method) throw new Refusal('not_so', 'No.', status);
      return next(call);
    });
    const check = 'builder-one.settings.update/answers/user';
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [{ behaviour }],
      contract,
      checks: allChecks(contract),
      mode: 'full',
      only: [check],
    });

    expect(results.get(check)?.verdict).toBe(verdict);
  });
});
