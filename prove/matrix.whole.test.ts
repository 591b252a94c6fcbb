import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PROFILES } from '../engine/fuzz-options.ts';
import { findMutant, mutantsOf } from '../sites/alterations/catalogue.ts';
import { RARE_SEQUENCES } from '../sites/alterations/mutants/rare-mutants.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { loadContract } from '../specs/contract.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
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

function variants(only: string): {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const args = ['--deployment', smallDeployment(), '--variants', '--only', only, '--workers', '2'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'mutants.ts'), ...args],
    { encoding: 'utf8' },
  );
  return { code: status, stdout, stderr };
}

it('reports of each benign variant that processes share what was found, and how many were run', () => {
  const { code, stdout } = variants('{reversed-members,self-link-list}');

  expect(stdout.split('\n').toSorted()).toEqual([
    '',
    '2 benign variants, 0 reports',
    'reversed-members: nothing reported',
    'self-link-list: nothing reported',
  ]);
  expect(code).toBe(0);
}, 120_000);

it('refuses a choice that no benign variant is in', () => {
  expect(variants('unheard-of')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^none of the \d+ benign variants is selected\n$/),
  });
});
