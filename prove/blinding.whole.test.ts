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
 * value, so they depend on each. @param mutants their ids; none: a healthy site
 */
async function resultsOf(...mutants: readonly string[]): Promise<Results> {
  const deployment = 'core';
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const alterations = mutants.map((mutant) => findMutant(loadRaw(deployment), mutant));
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

/** How many other checks of a site may become inconclusive. */
const MOST = 10;

/** The check that must find a mutant. */
const reportOf = (mutant: string): string => mutant.replace(/~.*/, '');

describe('a site that refuses a value which the suite uses for its own purposes', {
  timeout: 120_000,
}, () => {
  let healthy: Results = new Map();
  beforeAll(async () => {
    healthy = await resultsOf();
  }, 120_000);

  // Values of different lists disturb different checks, so one site refuses several.
  it.each([
    {
      mutants: [
        'posts.list/per_page/maximum/accepted~capped',
        'pages.list/context/enum/accepted~without-view',
        'media.list/status/items/enum/accepted~without-trash',
      ],
    },
    {
      mutants: [
        'posts.list/order/enum/accepted~without-desc',
        'post-revisions.list/per_page/maximum/accepted~capped',
        'pages.list/status/items/enum/accepted~without-draft',
      ],
    },
    {
      mutants: [
        'posts.list/orderby/enum/accepted~without-id',
        'pages.list/per_page/maximum~declared-and-capped',
      ],
    },
  ])('keeps no more than a few other checks from being evaluated: $mutants', async ({ mutants }) => {
    const results = await resultsOf(...mutants);

    for (const mutant of mutants) expect(results.get(reportOf(mutant))?.verdict).toBe('fail');
    const others = blinded(healthy, results).map(({ id, message }) => `${id}: ${message}`);
    expect(others.length).toBeLessThan(MOST + 1);
  });

  it('is asked for its list where a read refuses the edit context', async () => {
    const reports = ['media', 'posts'].map((collection) => `${collection}.read/context/enum/accepted`);
    const results = await resultsOf(...reports.map((id) => `${id}~without-edit`));
    const failed = [...results.values()].filter(({ verdict }) => verdict === 'fail' || verdict === 'error');

    expect(failed.map(({ id }) => id).sort()).toEqual(reports);
    expect(blinded(healthy, results).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  });

  it('blocks what only the edit context shows by the one check that reports it', async () => {
    const results = await resultsOf('posts.list/context/enum/accepted~without-edit');
    const lost = blinded(healthy, results);
    const blocked = lost.filter(({ message }) => message === 'blocked by posts.list/context/enum/accepted');

    expect(results.get('posts.list/context/enum/accepted')?.verdict).toBe('fail');
    expect(lost.length).toBeLessThan(16);
    expect(lost.length - blocked.length).toBeLessThan(8);
  });
});
