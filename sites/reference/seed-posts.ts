import { slugOf } from './slug.ts';
import { REVISION, type Store, type StoredRecord } from './store.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const FIRST = Date.UTC(2024, 0, 10, 9, 30, 0);
const FIRST_EDIT = Date.UTC(2025, 2, 1, 18, 0, 0);
const FAR_AHEAD = Date.UTC(2096, 5, 1, 8, 0, 0);

/** Title of each post; its order is neither that of dates nor that of the alphabet. */
const TITLES = [
  'Lantern at dusk',
  'A quiet market',
  'Three bridges',
  'Zebra crossing',
  'Old lantern workshop',
  'Morning ferry',
  'Saffron fields',
  'Harbour cranes',
  'Notes from the mill',
  'Winter bread',
  'Island letters',
  'The glass house',
  'Copper kettles',
  'Open window',
  'River stones',
  'Kites over town',
  'Yellow door',
  'Paper boats',
  'Bell tower',
  'Night train',
  'Useful knots',
  'Garden wall',
  'Vinegar and salt',
  'Left luggage',
  'Early draft',
  'Another draft',
  'Waiting for review',
  'Only for us',
  'Coming soon',
  'Thrown away',
];

const STATUSES: Record<number, string> = {
  24: 'draft',
  25: 'draft',
  26: 'pending',
  27: 'private',
  28: 'future',
  29: 'trash',
};

const FORMATS = ['standard', 'aside', 'gallery', 'link', 'standard', 'image', 'quote', 'status'];
const MORE_FORMATS = ['video', 'audio', 'chat'];

/** Adds 30 posts with distinct dates, and revisions and an autosave of some. */
export function seedPosts(store: Store): void {
  TITLES.forEach((title, index) => {
    const post = store.add({ kind: 'posts', ...postFields(title, index) });
    if (index % 9 === 0) seedRevisions(store, post);
  });
}

function postFields(title: string, index: number): Partial<StoredRecord> {
  const status = STATUSES[index] ?? 'publish';
  const trashed = status === 'trash';
  const date = FIRST + ((index * 7) % 30) * 3 * DAY + index * 7 * MINUTE;
  const slug = slugOf(title);
  return {
    title,
    status,
    slug: trashed ? `${slug}__trashed` : slug,
    beforeTrash: trashed ? { slug, status: 'publish' } : undefined,
    date: status === 'future' ? FAR_AHEAD : date,
    modified: FIRST_EDIT + ((index * 11 + 20) % 31) * DAY + index * MINUTE,
    content: contentOf(index),
    excerpt: index % 3 === 0 ? `Summary ${index + 1}${index === 6 ? ' with marjoram' : ''}.` : '',
    password: index === 12 ? 'swordfish' : '',
    author: index % 3 === 1 ? 2 : 1,
    commentStatus: index % 4 === 3 ? 'closed' : 'open',
    pingStatus: index % 5 === 4 ? 'closed' : 'open',
    template: index === 4 ? 'wide' : '',
    format: index < 8 ? (FORMATS[index] ?? 'standard') : (MORE_FORMATS[index - 8] ?? 'standard'),
    sticky: index === 2 || index === 9,
    categories: categoriesOf(index),
    tags: [index % 2 === 0 ? 6 : 7, ...(index % 5 === 0 ? [8] : []), ...(index === 13 ? [9] : [])],
    meta: index === 4 ? { footnotes: '[]' } : {},
  };
}

function contentOf(index: number): string {
  const rare = index === 4 || index === 7 ? ' A heron stands by the water.' : '';
  const ending = index % 2 === 0 ? 'Nobody hurries here.' : 'Rain came later.';
  return `<p>Paragraph ${index + 1} tells of small things, one after the other.${rare} ${ending}</p>`;
}

function categoriesOf(index: number): number[] {
  const first = [1, 2, 3, 4, 5][index % 5] ?? 1;
  return index % 6 === 0 && first !== 4 ? [first, 4] : [first];
}

/** As where revisions were imported, their dates are not in the order of their ids. */
function seedRevisions(store: Store, post: StoredRecord): void {
  for (const [number, text] of ['Early words', 'A second attempt', 'Third attempt'].entries()) {
    const days = (number * 2) % 3;
    addRevision(store, post, { title: `${text} on ${post.title}`, date: post.date + days * DAY });
  }
  if (post.id === 1 || post.id === 10) {
    addRevision(store, post, { title: 'Unsaved lantern', date: post.modified, autosave: true });
  }
}

/** Stores a revision of `record` as it stands, save for `fields`. */
export function addRevision(store: Store, record: StoredRecord, fields: Partial<StoredRecord>): StoredRecord {
  const revision = store.add({
    kind: REVISION,
    status: 'inherit',
    parent: record.id,
    author: record.author,
    title: record.title,
    content: record.content,
    excerpt: record.excerpt,
    date: record.modified,
    meta: { ...record.meta },
    commentStatus: 'closed',
    pingStatus: 'closed',
    ...fields,
  });
  revision.modified = revision.date;
  revision.slug = `${record.id}-${revision.autosave ? 'autosave' : 'revision'}-v1`;
  return revision;
}
