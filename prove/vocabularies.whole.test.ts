import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../engine/result.ts';
import { type Renaming, readRenaming, renamedSite } from '../sites/renamed-site.fixture.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { checkIds, runAgainst } from './kill.ts';

type Results = ReadonlyMap<string, CheckResult>;

/** Runs a deployment, or what it has beyond another one, in the words of one vocabulary against a site with another one, or the same. */
async function run(deployment: string, asked: string, spoken: string, beyond?: string): Promise<Results> {
  const contract = loadContract({ deployment, vocabulary: asked });
  const known = new Set(beyond === undefined ? [] : checkIds(beyond));
  const checks = allChecks(contract).filter(({ id }) => !known.has(id));
  const site = await renamedSite(deployment, readRenaming(spoken));
  onTestFinished(() => site.close());
  return (await runAgainst(site, { contract, checks, mode: 'full' })).results;
}

function failures(results: Results): string[] {
  return [...results.values()]
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ id, verdict, message }) => `${verdict} ${id}: ${message}`);
}

describe('a site that speaks the words of a vendor', () => {
  it.each([
    // What WordPress itself serves is checked against a WordPress.
    ['b', 'core'],
    ['a', 'b'],
  ])(
    'passes every check, as in neutral words: what deployment %s has beyond %s',
    async (deployment, other) => {
      const results = await run(deployment, 'wordpress', 'wordpress', other);
      const others = [...results.values()].filter(
        ({ verdict, skip }) => verdict !== 'pass' && skip?.kind !== 'selection',
      );

      expect(others.map(({ id, verdict, message }) => `${verdict} ${id}: ${message}`)).toEqual([]);
      expect(results.size).toBeGreaterThan(others.length);
    },
    180_000,
  );

  it.each([
    ['neutral', 'wordpress'],
    ['wordpress', 'neutral'],
  ])(
    'fails in the words of %s when it speaks %s, once for each namespace with another word',
    async (asked, spoken) => {
      const results = await run('b', asked, spoken);
      const same = new Set(['oembed/1.0', 'image-optimizer/v1']);
      const { namespaces } = loadContract({ deployment: 'b', vocabulary: asked });

      expect(failures(results).map((line) => line.split(':')[0])).toEqual(
        namespaces
          .filter(({ name }) => !same.has(name))
          .map(({ name, basis }) => `${basis === 'doubtful' ? 'warn' : 'fail'} namespaces/${name}/served`),
      );
      for (const name of same) expect(results.get(`namespaces/${name}/served`)?.verdict).toBe('pass');
    },
    180_000,
  );

  it.each<[string, (words: Renaming) => Partial<Renaming>, string]>([
    ['segment', ({ segments }) => ({ segments: { ...segments, 'seo/v1': {} } }), 'routes/seo/v1/'],
    ['parameter', () => ({ parameters: {} }), 'seo.'],
    ['value', () => ({ enumValues: {} }), 'seo.ai'],
  ])('fails where it keeps the neutral word for a %s, and nowhere else', async (_, keep, where) => {
    const words = readRenaming('wordpress');
    const site = await renamedSite('b', { ...words, ...keep(words) });
    onTestFinished(() => site.close());
    const contract = loadContract({ deployment: 'b', vocabulary: 'wordpress' });
    const about = { contract, checks: allChecks(contract), mode: 'read', anonymous: true } as const;
    const { results } = await runAgainst(site, {
      ...about,
      only: ['routes/**', 'namespaces/**', 'seo.*/**'],
    });
    const failed = failures(results);

    expect(failed).not.toEqual([]);
    expect(failed.filter((line) => !line.startsWith(`fail ${where}`))).toEqual([]);
  });
});
