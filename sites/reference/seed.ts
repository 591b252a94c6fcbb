import type { Resource } from './contract.ts';
import { seedMedia } from './seed-media.ts';
import { seedPages } from './seed-pages.ts';
import { seedPosts } from './seed-posts.ts';
import { seedRecords } from './seed-records.ts';
import { Store } from './store.ts';

/** What a fresh site holds: `full` has something to show and to hide for every filter, `empty` has nothing. */
export type Seed = 'full' | 'empty';

/**
 * A store with the content of `seed`, the same every time.
 * @param resources those of the deployment: what has no content of its own here gets generated records
 */
export function seedStore(seed: Seed, resources: readonly Resource[] = []): Store {
  const store = new Store();
  store.terms.push(
    { id: 1, taxonomy: 'category', slug: 'uncategorized', parent: 0 },
    { id: 2, taxonomy: 'category', slug: 'news', parent: 0 },
    { id: 3, taxonomy: 'category', slug: 'local-news', parent: 2 },
    { id: 4, taxonomy: 'category', slug: 'travel', parent: 0 },
    { id: 5, taxonomy: 'category', slug: 'food', parent: 0 },
    { id: 6, taxonomy: 'tag', slug: 'red', parent: 0 },
    { id: 7, taxonomy: 'tag', slug: 'green', parent: 0 },
    { id: 8, taxonomy: 'tag', slug: 'blue', parent: 0 },
    { id: 9, taxonomy: 'tag', slug: 'rare', parent: 0 },
  );
  if (seed === 'full') {
    seedPosts(store);
    seedPages(store);
    seedMedia(store);
    for (const resource of resources.filter(({ parent }) => !parent)) {
      if (store.ofKind(resource.id).length === 0) seedRecords(store, resource);
    }
  }
  return store;
}
