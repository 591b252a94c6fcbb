import { describe, expect, it } from 'vitest';
import { STANDARD_FUZZ } from '../../../engine/fuzz-options.ts';
import type { CheckResult } from '../../../engine/result.ts';
import type { Mutant } from '../../../probing/records/reading/faulty-reading.fixture.ts';
import { faultySite, ignoring } from '../../../probing/records/reading/faulty-reading.fixture.ts';
import { subsetChecks } from './subset-checks.ts';

const site = faultySite('core');

async function resultOf(
  list: string,
  mutant: Mutant,
  as?: 'anonymous',
  examples: number = STANDARD_FUZZ.examples,
): Promise<CheckResult | undefined> {
  const results = await site.results(
    mutant,
    (contract) =>
      contract.operations.filter(({ id }) => id === list).flatMap((one) => subsetChecks(contract, one)),
    as,
    { fuzz: { ...STANDARD_FUZZ, examples } },
  );
  return results.get(`${list}/fuzz/subset`);
}

describe('sets of filters of a list', () => {
  it('keep other records if more of them are wanted, and combine no fewer arguments', async () => {
    const [few, many] = [await resultOf('pages.list', {}), await resultOf('pages.list', {}, undefined, 30)];

    expect([few?.tried?.judged, many?.verdict]).toEqual([18, 'pass']);
    expect(many?.tried?.judged).toBe(30);
    expect(many?.tried?.pairs.tried).toBeGreaterThanOrEqual(few?.tried?.pairs.tried ?? 0);
    expect(few?.tried?.pairs.tried).toBeGreaterThan(100);
  });

  it('say nothing again that the checks of parameters alone report', async () => {
    const asks: Mutant['asks'] = (query) => {
      for (const name of ['author', 'exclude', 'order', 'orderby', 'offset']) ignoring(name).asks?.(query);
    };
    expect((await resultOf('posts.list', { asks }, undefined, 6))?.verdict).not.toBe('fail');
  });

  it('hold no status for a user who may neither edit the records nor ask for other statuses', async () => {
    const status: Mutant['status'] = (query, isAnonymous) => {
      if (query.get('context') === 'edit') return 403;
      return !isAnonymous && query.has('status[]') ? 400 : undefined;
    };
    const result = await resultOf('pages.list', { status });

    expect([result?.verdict, result?.tried?.judged]).toEqual(['pass', 18]);
  });

  it('are inconclusive if no set is accepted', async () => {
    const usual = new Set(['rest_route', 'context', 'per_page', 'orderby', 'order', 'status[]']);
    const isUsual = (query: URLSearchParams): boolean =>
      [...query.keys()].every((name) => usual.has(name)) && query.get('order') !== 'asc';
    const refusing: Mutant = { status: (query) => (isUsual(query) ? undefined : 400) };
    const result = await resultOf('posts.list', refusing, undefined, 6);

    expect(result).toMatchObject({ verdict: 'inconclusive' });
    expect(result?.message).toContain('no set of arguments was accepted');
  });
});
