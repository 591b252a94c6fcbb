import { slugOf } from './arguments.ts';
import { isTree } from './calls.ts';
import type { Resource } from './contract.ts';
import { seedMedia, seedPages, seedPosts } from './seed-content.ts';
import { addRevision, type MediaFile, Store, type StoredRecord } from './store.ts';

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

const HOUR = 3_600_000;
const FIRST = Date.UTC(2024, 7, 20, 10, 45, 0);
const FAR_AHEAD = Date.UTC(2096, 5, 1, 8, 0, 0);
const OPEN = 24;

/** Words of the generated titles; their order is not that of the alphabet. */
const FIRST_WORDS = ['Quince', 'Anchor', 'Meadow', 'Violin', 'Bramble', 'Thimble', 'Cedar', 'Pepper'];
const LAST_WORDS = ['lane', 'hours', 'trade', 'country', 'ledger', 'garden', 'winter', 'bridge'];
const FORMATS = ['standard', 'aside', 'gallery', 'link', 'quote'];

/**
 * Adds generated records of a resource that has no content of its own here: those that everybody may see, with distinct
 * dates, then one of each other status; and revisions and an autosave of the first where the resource has such children.
 */
function seedRecords(store: Store, resource: Resource): void {
  const { open, listed } = resource.statuses;
  const others = listed.filter((status) => status !== open);
  const statuses = [...Array.from({ length: OPEN }, () => open), ...others];
  const made = statuses.map((status, index) =>
    store.add({ kind: resource.id, ...fieldsOf(resource, index, status) }),
  );
  const [first, second] = made;
  if (!first || !second) return;
  if (isTree(resource))
    for (const child of made.slice(2, 6)) child.parent = [first.id, second.id][child.id % 2] ?? 0;
  const children = resource.children.map(({ kind }) => kind);
  if (children.includes('revisions')) {
    addRevision(store, first, { title: `Later ${first.title}`, date: first.date + 2 * HOUR });
    addRevision(store, first, { title: `Early ${first.title}`, date: first.date + HOUR });
    addRevision(store, first, { title: `Another ${first.title}`, date: first.date + 3 * HOUR });
  }
  if (children.includes('autosaves')) {
    addRevision(store, first, { title: `Unsaved ${first.title}`, date: first.modified, autosave: true });
  }
}

function fieldsOf(
  { id, kind, statuses, fields, protects }: Resource,
  index: number,
  status: string,
): Partial<StoredRecord> {
  const title = titleOf(index);
  const slug = slugOf(title);
  const isTrashed = status === 'trash';
  return {
    title,
    status,
    slug: isTrashed ? `${slug}__trashed` : slug,
    beforeTrash: isTrashed ? { slug, status: statuses.open } : undefined,
    date: status === 'future' ? FAR_AHEAD : FIRST + ((index * 7) % 30) * 29 * HOUR,
    modified: FIRST + 5000 * HOUR + ((index * 11 + 20) % 31) * 17 * HOUR,
    content: `<p>Number ${index + 1} of ${id}${index % 7 === 3 ? ' mentions a kestrel' : ''}.</p>`,
    excerpt: index % 3 === 0 ? `Summary ${index + 1}${index === 6 ? ' with lavender' : ''}.` : '',
    password: protects && index === 12 ? 'swordfish' : '',
    author: index % 3 === 1 ? 2 : 1,
    menuOrder: (index * 5) % 9,
    template: index === 4 ? 'wide' : '',
    commentStatus: index % 4 === 3 ? 'closed' : 'open',
    ...('sticky' in fields ? { sticky: index === 2 || index === 9 } : {}),
    ...('format' in fields ? { format: FORMATS[index % FORMATS.length] ?? 'standard' } : {}),
    ...('categories' in fields ? { categories: index % 6 === 0 ? [2, 4] : [(index % 5) + 1] } : {}),
    ...('tags' in fields ? { tags: [index % 2 === 0 ? 6 : 7, ...(index % 5 === 0 ? [8] : [])] } : {}),
    ...(kind === 'uploads' ? { file: fileOf(slug) } : {}),
  };
}

/** Another title for each of the first 64 records. */
function titleOf(index: number): string {
  const [round, turn] = [Math.floor(index / FIRST_WORDS.length), index % FIRST_WORDS.length];
  const last = LAST_WORDS[(turn * 5 + round) % LAST_WORDS.length];
  return `${FIRST_WORDS[(turn * 3) % FIRST_WORDS.length]} ${last}`;
}

function fileOf(name: string): MediaFile {
  return { path: `2024/08/${name}.txt`, type: 'text/plain', width: 0, height: 0, bytes: Buffer.from(name) };
}
