import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PROFILES } from '../engine/fuzz-options.ts';
import { findMutant, mutantsOf } from '../sites/alterations/catalogue.ts';
import { RARE_SEQUENCES } from '../sites/alterations/mutants/rare-mutants.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { booksDeployment } from '../suites/books.fixture.ts';
import { runOnReference } from './kill.ts';

it('a resource that is added as data alone is served so that no check in mode full reports anything', async () => {
  const deployment = booksDeployment();
  addIsbn(join(dirname(deployment), 'books.json'));
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const { results } = await runOnReference({
    deployment,
    contract,
    checks: allChecks(contract),
    mode: 'full',
    only: ['**/*book*/**', '*book*/**'],
  });
  const of = (...verdicts: string[]): string[] =>
    [...results.values()]
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ id, message }) => `${id}: ${message}`);

  expect(of('fail', 'warn', 'error')).toEqual([]);
  expect(of('pass').length).toBeGreaterThan(400);
}, 60_000);

/** Adds a field to books that no built-in resource has, shown in the edit context alone. */
function addIsbn(path: string): void {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  for (const row of file.operations) {
    if (row.id !== 'books.create' && row.id !== 'books.update') continue;
    row.parameters = { properties: { isbn: { type: 'string', 'x-contexts': ['edit'] } } };
  }
  writeFileSync(path, JSON.stringify(file));
}

it.each(['media.list~include-in-embed', 'media.list~status-in-embed'])(
  '%s, which a run without options does not show, shows in a nightly run',
  async (id) => {
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    const check = `${id.split('~')[0]}/fuzz/subset`;
    const { results } = await runOnReference({
      deployment: 'core',
      contract,
      alterations: [findMutant(loadRaw('core'), id)],
      checks: allChecks(contract).filter((one) => one.id === check),
      mode: 'read',
      seed: 1,
      fuzz: { examples: PROFILES.nightly, kept: [] },
    });

    expect(results.get(check)?.verdict).toBe('fail');
  },
  60_000,
);

it('a resource that is added as data alone has every mutant that posts have', () => {
  // Rare deviations are examples, each of one operation or resource.
  const rare = new Set(RARE_SEQUENCES.map(({ resource, how }) => `lifecycle/${resource}~${how}`));
  const ids = mutantsOf(loadRaw(booksDeployment()))
    .map(({ id }) => id)
    .filter((id) => !id.includes('/fuzz/') && !rare.has(id))
    // The first collection is asked for all, names a picture and is named by files; updates take turns in the method of forms.
    .filter(
      (id) =>
        !/~view-for-edit$|~with-what-names-it$|~entitling-what-it-names$|\/force\/named~|\/form~not-read-by-/.test(
          id,
        ),
    );
  const known = new Set(ids);
  const ofPosts = ids.filter((id) => /(^|\/)posts(?=[./~])|(^|[/~])post-(revisions|autosaves)/.test(id));
  const renamed = ofPosts.map((id) =>
    id
      .replaceAll(/(?<=^|[/~])posts(?=[./~-])/g, 'books')
      .replaceAll(/(?<=^|[/~])post-(?=revisions|autosaves)/g, 'book-'),
  );

  expect(ofPosts.length).toBeGreaterThan(500);
  expect(renamed.filter((id) => !known.has(id))).toEqual([]);
});
