import { expect, it } from 'vitest';
import { mutantsOf } from '../sites/alterations/mutants/catalogue.ts';
import { RARE_SEQUENCES } from '../sites/alterations/mutants/rare-sequences.ts';
import { booksDeployment } from '../sites/reference/books.fixture.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runOnReference } from './run-on-reference.ts';

it('a resource that is added as data alone is served so that no check in mode full reports anything', async () => {
  const deployment = booksDeployment();
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const results = await runOnReference({
    deployment,
    contract,
    checks: allChecks(contract),
    mode: 'full',
    only: ['**/*book*/**', '*book*/**'],
  });
  const of = (...verdicts: string[]): string[] =>
    [...results.values()]
      .filter(({ verdict, skip }) => verdicts.includes(verdict) && skip?.kind !== 'selection')
      .map(({ id, message }) => `${id}: ${message}`);

  expect(of('fail', 'warn', 'error')).toEqual([]);
  expect(of('pass').length).toBeGreaterThan(400);
}, 60_000);

it('a resource that is added as data alone has every mutant that posts have', () => {
  // Deviations that hardly any request shows are examples, each of one operation or resource.
  const rare = new Set(RARE_SEQUENCES.map(({ resource, how }) => `lifecycle/${resource}~${how}`));
  const ids = mutantsOf(loadRaw(booksDeployment()))
    .map(({ id }) => id)
    .filter((id) => !id.includes('/fuzz/') && !rare.has(id));
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
