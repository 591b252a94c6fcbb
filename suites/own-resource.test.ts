import { expect, it } from 'vitest';
import type { Check } from '../engine/check.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from './all-checks.ts';
import { booksDeployment, booksFor } from './books.fixture.ts';

/** Updates take turns in the method, beside POST, that forms are sent by. */
const inAnyMethod = (ids: ReadonlySet<string>): string => [...ids].join().replaceAll(/\b(PUT|PATCH)\b/g, '*');

const checksOf = (deployment: string): readonly Check[] =>
  allChecks(loadContract({ deployment, vocabulary: 'neutral' }));

let made: readonly Check[] | undefined;

/** The checks of a deployment with books, made once. */
const booksChecks = (): readonly Check[] => (made ??= checksOf(booksDeployment()));

/** Files name posts, and nothing names books. */
const OF_NAMED = 'states/posts/force/named';
const isOfPosts = (id: string): boolean =>
  id !== OF_NAMED && /(^|\/)posts[./]|\bpost-(revisions|autosaves)\b/.test(id);

it('gives a resource that only exists as data every check of posts', () => {
  const ids = new Set(booksChecks().map(({ id }) => id));
  const ofPosts = [...ids].filter(isOfPosts);

  expect(ofPosts.length).toBeGreaterThan(500);
  expect(ofPosts.map(booksFor).filter((id) => !ids.has(id))).toEqual([]);
});

it('gives it checks with the same sections and dependencies', () => {
  const byId = new Map(booksChecks().map((check) => [check.id, check]));
  const known = new Set(byId.keys());
  const differing = booksChecks()
    // Posts have the pages for another collection, and books have the posts.
    .filter(({ id }) => isOfPosts(id) && id !== 'states/posts/other-ids')
    .filter(({ id, section, basis, effect, dependsOn = [], buildsOn = [] }) => {
      const other = byId.get(booksFor(id));
      // Some checks look at the revisions of all types.
      const roots = new Set([...dependsOn, ...buildsOn].map(booksFor));
      const others = new Set([...(other?.dependsOn ?? []), ...(other?.buildsOn ?? [])].map(booksFor));
      return (
        other?.section !== section ||
        other.basis !== basis ||
        other.effect !== effect ||
        inAnyMethod(others) !== inAnyMethod(roots)
      );
    });

  expect(differing.map(({ id }) => id)).toEqual([]);
  expect(booksChecks().flatMap(({ dependsOn = [] }) => dependsOn.filter((id) => !known.has(id)))).toEqual([]);
});

it('does not change the checks of other resources', () => {
  const core = checksOf('core').map(({ id }) => id);
  const ids = booksChecks().map(({ id }) => id);

  expect(ids.filter((id) => !/book/.test(id))).toEqual(core);
});

it.each([
  ['books.list'],
  ['books.create'],
  ['books.read'],
  ['books.update'],
  ['books.delete'],
  ['book-revisions.list'],
  ['book-revisions.read'],
  ['book-autosaves.list'],
  ['book-autosaves.create'],
  ['book-autosaves.read'],
])('gives it no check that needs %s without that operation', (id) => {
  const checks = checksOf(booksDeployment([id]));
  const known = new Set(checks.map((check) => check.id));
  const dangling = checks.flatMap(({ id: from, dependsOn = [] }) =>
    dependsOn.filter((other) => !known.has(other)).map((other) => `${from} -> ${other}`),
  );

  expect(dangling).toEqual([]);
});
