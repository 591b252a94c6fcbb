import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import { COLLECTIONS, type Collection } from '../../target/journal.ts';
import { listAll } from './list-all.ts';

/** The ids of each collection in every status, or why they are not known. */
export type Census = Readonly<
  Record<Collection, { readonly ids: readonly number[] } | { readonly reason: string }>
>;

/** What changed between two counts, by collection; other people may have been at work. */
export interface CensusDifference {
  readonly collection: Collection;
  readonly appeared: readonly number[];
  readonly disappeared: readonly number[];
}

/** Counts posts, pages and media in every status. */
export async function takeCensus(client: Client, contract: Contract): Promise<Census> {
  const count = async (collection: Collection): Promise<Census[Collection]> => {
    const listing = await listAll(client, contract, collection, { context: 'embed' });
    if ('reason' in listing) return listing;
    return { ids: listing.records.map(({ id }) => id).filter((id) => typeof id === 'number') };
  };
  return { posts: await count('posts'), pages: await count('pages'), media: await count('media') };
}

/** The differences between two counts; a collection that could not be counted both times is left out. */
export function compareCensus(before: Census, after: Census): CensusDifference[] {
  return COLLECTIONS.flatMap((collection) => {
    const [one, other] = [before[collection], after[collection]];
    if (!('ids' in one) || !('ids' in other)) return [];
    const appeared = other.ids.filter((id) => !one.ids.includes(id));
    const disappeared = one.ids.filter((id) => !other.ids.includes(id));
    return appeared.length + disappeared.length === 0 ? [] : [{ collection, appeared, disappeared }];
  });
}
