import { beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../engine/result.ts';
import { isReportedElsewhere } from '../engine/skip.ts';
import { findMutant } from '../sites/alterations/catalogue.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runOnReference } from './kill.ts';

type Results = ReadonlyMap<string, CheckResult>;

/**
 * Runs the whole plan in mode write, as the user of the site, without fuzz checks: their sets contain every accepted
 * value, so they depend on each. @param mutant its id; default: a healthy site
 */
async function resultsOf(deployment: string, mutant?: string): Promise<Results> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const alterations = mutant === undefined ? [] : [findMutant(loadRaw(deployment), mutant)];
  const checks = allChecks(contract).filter(({ fuzz }) => fuzz !== true);
  const run = { deployment, alterations, contract, checks, mode: 'write' } as const;
  return (await runOnReference(run)).results;
}

/** The checks that are conclusive on a healthy site only, each with its reason. */
function blinded(healthy: Results, faulty: Results): CheckResult[] {
  return [...faulty.values()].filter(
    ({ id, verdict, skip }) =>
      (verdict === 'inconclusive' || (verdict === 'skip' && !isReportedElsewhere(skip))) &&
      healthy.get(id)?.verdict === 'pass',
  );
}

/** How many other checks one refused value may make inconclusive. */
const MOST = 7;

describe('a site that refuses one value which the suite uses for its own purposes', () => {
  let healthy: Results = new Map();
  beforeAll(async () => {
    healthy = await resultsOf('core');
  }, 60_000);

  it.each([
    'posts.list/per_page/maximum/accepted~capped',
    'posts.list/per_page/maximum~declared-and-capped',
    'post-revisions.list/per_page/maximum/accepted~capped',
    'posts.list/orderby/enum/accepted~without-id',
    'posts.list/order/enum/accepted~without-desc',
    'posts.list/context/enum/accepted~without-view',
    'posts.list/status/items/enum/accepted~without-draft',
    'media.list/status/items/enum/accepted~without-trash',
  ])(
    'keeps no more than a few other checks from telling anything: %s',
    async (mutant) => {
      const results = await resultsOf('core', mutant);
      const reported = mutant.replace(/~.*/, '');

      expect(results.get(reported)?.verdict).toBe('fail');
      const others = blinded(healthy, results);
      expect(others.map(({ id, message }) => `${id}: ${message}`).length).toBeLessThan(MOST + 1);
    },
    60_000,
  );

  it.each(['posts', 'media'])(
    'is asked for its list where a read refuses the edit context: %s',
    async (collection) => {
      const reported = `${collection}.read/context/enum/accepted`;
      const results = await resultsOf('core', `${reported}~without-edit`);
      const failed = [...results.values()].filter(({ verdict }) => verdict === 'fail' || verdict === 'error');

      expect(failed.map(({ id }) => id)).toEqual([reported]);
      expect(blinded(healthy, results).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    },
    60_000,
  );

  it('blocks what only the edit context shows by the one check that reports it', async () => {
    const results = await resultsOf('core', 'posts.list/context/enum/accepted~without-edit');
    const lost = blinded(healthy, results);
    const blocked = lost.filter(({ message }) => message === 'blocked by posts.list/context/enum/accepted');

    expect(results.get('posts.list/context/enum/accepted')?.verdict).toBe('fail');
    expect(lost.length).toBeLessThan(2 * MOST + 2);
    expect(lost.length - blocked.length).toBeLessThan(MOST + 1);
  }, 60_000);
});
