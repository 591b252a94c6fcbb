import { expect, it } from 'vitest';
import { faultySite, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { everyListCheck } from './every-answer-checks.ts';

const site = faultySite('core');
const CHECK = 'posts.list/every-answer';

/** What the check says of the list of a format, on a site that ignores it. */
async function verdictOn(mutant: Mutant): Promise<string | undefined> {
  const query = [['format[]', 'gallery']];
  const requests = [{ as: 'anonymous', route: '/cms/v2/posts', query }];
  const results = await site.results(
    { ...ignoring('format'), ...mutant },
    ({ operations }) => operations.filter(({ id }) => id === 'posts.list').flatMap(everyListCheck),
    'anonymous',
    { fuzz: { examples: 0, kept: [{ check: CHECK, args: { requests } }] } },
  );
  return results.get(CHECK)?.verdict;
}

it('reports a list that holds what its query does not describe', async () => {
  expect(await verdictOn({})).toBe('fail');
});

it('leaves alone what the site does not declare: software without a filter ignores it', async () => {
  const undeclared: Mutant = {
    answers: (json, query) =>
      query.get('rest_route') === '/'
        ? JSON.parse(JSON.stringify(json, (name, value: unknown) => (name === 'format' ? undefined : value)))
        : json,
  };
  expect(await verdictOn(undeclared)).toBe('inconclusive');
});
