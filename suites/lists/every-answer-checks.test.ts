import { expect, it } from 'vitest';
import { faultySite, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { everyListCheck } from './every-answer-checks.ts';

const site = faultySite('core');
const CHECK = 'posts.list/every-answer';

/** The verdict on a list, by default that of a format on a site that ignores this filter. */
async function verdictOn(
  mutant: Mutant,
  query: readonly (readonly string[])[] = [['format[]', 'gallery']],
): Promise<string | undefined> {
  const requests = [{ as: 'anonymous', route: '/cms/v2/posts', query }];
  const results = await site.results(
    { ...ignoring('format'), ...mutant },
    ({ operations }) => operations.filter(({ id }) => id === 'posts.list').flatMap(everyListCheck),
    'anonymous',
    { fuzz: { examples: 0, kept: [{ check: CHECK, args: { requests } }] } },
  );
  return results.get(CHECK)?.verdict;
}

it('reports a list with records that its query excludes', async () => {
  expect(await verdictOn({})).toBe('fail');
});

it('ignores arguments that the site does not declare, because software ignores unknown filters', async () => {
  const undeclared: Mutant = {
    answers: (json, query) =>
      query.get('rest_route') === '/'
        ? JSON.parse(JSON.stringify(json, (name, value: unknown) => (name === 'format' ? undefined : value)))
        : json,
  };
  expect(await verdictOn(undeclared)).toBe('inconclusive');
});

it('expects nothing of a list for a size that the site must refuse', async () => {
  const atLeastOne: Mutant = {
    asks: (query) => {
      if (query.get('per_page') === '0') query.set('per_page', '1');
    },
  };
  expect(await verdictOn(atLeastOne, [['per_page', '0']])).not.toBe('fail');
});

it.each([
  ['every address', 'fail', () => true],
  ['an address that a cache knows', 'pass', (query: URLSearchParams) => !query.has('_')],
])('reports a shorter list without a size at %s: %s', async (_where, verdict, isShort) => {
  const shorter: Mutant = {
    answers: (json, query) =>
      Array.isArray(json) && !query.has('per_page') && !query.has('status[]') && isShort(query)
        ? json.slice(0, 5)
        : json,
  };
  const requests = [[], [['per_page', '20']]].map((query) => ({
    as: 'anonymous',
    route: '/cms/v2/posts',
    query,
  }));
  const results = await site.results(
    shorter,
    ({ operations }) => operations.filter(({ id }) => id === 'posts.list').flatMap(everyListCheck),
    undefined,
    { fuzz: { examples: 0, kept: [{ check: CHECK, args: { requests } }] } },
  );

  expect(results.get(CHECK)?.verdict).toBe(verdict);
});
