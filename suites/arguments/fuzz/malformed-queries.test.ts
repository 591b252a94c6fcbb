import { expect, it } from 'vitest';
import { runOnReference } from '../../../prove/kill.ts';
import { sending } from '../../../sites/alterations/handling.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const ID = 'pages.list/fuzz/malformed';

/** Runs the check with the default examples on a site that fails for some queries of its list. */
async function replayOf(isFatal: (query: URLSearchParams) => boolean, seed: number) {
  const behaviour = sending((shown, { route, query }) =>
    route === '/cms/v2/pages' && isFatal(query) ? { ...shown, status: 500 } : shown,
  );
  const { results } = await runOnReference({
    deployment: 'core',
    alterations: [{ behaviour }],
    contract,
    checks: allChecks(contract),
    mode: 'read',
    seed,
    only: [ID],
  });
  return results.get(ID)?.replay?.sets.map(({ args }) => args);
}

const isSpelt = (text: string | null): boolean => /^0\d|^\de\d/.test(text ?? '');

it.each([
  ['bytes that are no UTF-8', (query) => query.get('search')?.includes('\ufffd') === true, ['search']],
  ['addresses of more than 4,000 characters', (query) => String(query).length > 4_000, ['slug']],
  ['the word null', (query) => query.get('search') === 'null', ['search']],
  ['repeated names', (query) => query.getAll('order').length > 1, ['order']],
  ['other spellings of numbers', (query) => isSpelt(query.get('author')), ['author']],
] satisfies [string, (query: URLSearchParams) => boolean, string[]][])(
  'lists that fail of %s are found with few examples, whatever the seed',
  async (_, isFatal, names) => {
    for (const seed of [1, 2]) {
      const sets = await replayOf(isFatal, seed);

      expect(sets?.map((args) => Object.keys(args))).toEqual([names]);
    }
  },
);
