import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { RuleSite } from '../../../probing/records/reading/trials.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Operation } from '../../../specs/model.ts';

/** The list of posts of `core`. @throws Error if the contract has none */
export function postsList(): Operation {
  const { operations } = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const list = operations.find(({ id }) => id === 'posts.list');
  if (list === undefined) throw new Error('core has no list of posts');
  return list;
}

/** What rules may use of the site with the list of posts, which lists nothing else. */
export function postsSite(): RuleSite {
  const readBeside = () => Promise.resolve(undefined);
  return {
    operation: postsList(),
    as: 'user',
    wire: (name) => name,
    readBeside,
    heldWith: async () => undefined,
  };
}

/** A list that one page shows whole, highest id first. */
export function wholeList(records: Snapshot['records'], more: Partial<Snapshot> = {}): Snapshot {
  return {
    ...{ records, page: records, items: [], complete: true, size: 100, byId: true },
    ...{ total: records.length, hides: false, curls: [], ...more },
  };
}
