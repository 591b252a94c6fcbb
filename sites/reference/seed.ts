import { slugOf } from './arguments.ts';
import { isTree } from './calls.ts';
import type { Resource } from './load-contract.ts';
import { addRevision, type MediaFile, Store, type StoredRecord } from './store.ts';

/** A store with the content of `seed`, always the same. Resources without content here get generated records. */
export function seedStore(seed: 'full' | 'empty', resources: readonly Resource[] = []): Store {
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

const DAY = 86_400_000;
const MINUTE = 60_000;
const FIRST_POST = Date.UTC(2024, 0, 10, 9, 30, 0);
const FIRST_EDIT = Date.UTC(2025, 2, 1, 18, 0, 0);
const FAR_AHEAD = Date.UTC(2096, 5, 1, 8, 0, 0);

/** Titles of posts, in the order neither of dates nor of the alphabet. */
const TITLES: readonly string[] = [
  ...['Lantern at dusk', 'A quiet market', 'Three bridges', 'Zebra crossing', 'Old lantern workshop'],
  ...['Morning ferry', 'Saffron fields', 'Harbour cranes', 'Notes from the mill', 'Winter bread'],
  ...['Island letters', 'The glass house', 'Copper kettles', 'Open window', 'River stones'],
  ...['Kites over town', 'Yellow door', 'Paper boats', 'Bell tower', 'Night train'],
  ...['Useful knots', 'Garden wall', 'Vinegar and salt', 'Left luggage', 'Early draft'],
  ...['Another draft', 'Waiting for review', 'Only for us', 'Coming soon', 'Thrown away'],
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
function seedPosts(store: Store): void {
  TITLES.forEach((title, index) => {
    const post = store.add({ kind: 'posts', ...postFields(title, index) });
    if (index % 9 === 0) seedRevisions(store, post);
  });
}

function tagsOf(index: number): number[] {
  return [index % 2 === 0 ? 6 : 7, ...(index % 5 === 0 ? [8] : []), ...(index === 13 ? [9] : [])];
}

function postFields(title: string, index: number): Partial<StoredRecord> {
  const status = STATUSES[index] ?? 'publish';
  const date = FIRST_POST + ((index * 7) % 30) * 3 * DAY + index * 7 * MINUTE;
  return {
    ...named(title, status, 'publish'),
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
    tags: tagsOf(index),
    meta: index === 4 ? { footnotes: '[]' } : {},
  };
}

/** The name of a record, which its slug no longer shows in the trash. @param open its status before */
function named(
  title: string,
  status: string,
  open: string,
): Pick<StoredRecord, 'title' | 'status' | 'slug' | 'beforeTrash'> {
  const slug = slugOf(title);
  return status === 'trash'
    ? { title, status, slug: `${slug}__trashed`, beforeTrash: { slug, status: open } }
    : { title, status, slug, beforeTrash: undefined };
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

/** The dates are not in the order of the ids, as after an import. */
function seedRevisions(store: Store, post: StoredRecord): void {
  for (const [number, text] of ['Early words', 'A second attempt', 'Third attempt'].entries()) {
    const days = (number * 2) % 3;
    addRevision(store, post, { title: `${text} on ${post.title}`, date: post.date + days * DAY });
  }
  if (post.id === 1 || post.id === 10) {
    addRevision(store, post, { title: 'Unsaved lantern', date: post.modified, autosave: true });
  }
}

const HOUR = 3_600_000;
const FIRST_PAGE = Date.UTC(2023, 8, 4, 7, 15, 0);

/** Title, index of the parent (-1 for none), menu order, status. */
const PAGES: readonly [string, number, number, string][] = [
  ['Visit us', -1, 3, 'publish'],
  ['About', -1, 1, 'publish'],
  ['Opening hours', 0, 0, 'publish'],
  ['History', 1, 2, 'publish'],
  ['People', 1, 5, 'publish'],
  ['Contact', -1, 2, 'publish'],
  ['Getting here', 0, 4, 'publish'],
  ['Imprint', -1, 9, 'publish'],
  ['Members', -1, 17, 'publish'],
  ['Plans', -1, 0, 'draft'],
  ['Board', 1, 6, 'private'],
  ['Former shop', -1, 0, 'trash'],
];

const PAGE_TEXTS: Readonly<Record<number, string>> = { 3: 'a chronicle of the windmill' };

/** Adds 12 pages in several statuses. Two of them have children, and one has a password. */
function seedPages(store: Store): void {
  const ids: number[] = [];
  for (const [index, [title, parent, menuOrder, status]] of PAGES.entries()) {
    const page = store.add({
      kind: 'pages',
      ...named(title, status, 'publish'),
      parent: ids[parent] ?? 0,
      menuOrder,
      date: FIRST_PAGE + ((index * 5) % 12) * 50 * HOUR,
      modified: FIRST_PAGE + 9000 * HOUR + ((index * 7) % 13) * 31 * HOUR,
      content: `<p>Page ${index + 1}: ${PAGE_TEXTS[index] ?? 'facts for visitors who come by train, by bicycle or on foot along the river'}.</p>`,
      excerpt: index === 4 ? 'Who keeps the orchard.' : '',
      password: title === 'Members' ? 'swordfish' : '',
      author: index % 2 === 0 ? 1 : 2,
      commentStatus: index === 5 ? 'open' : 'closed',
      pingStatus: 'closed',
      template: index === 4 ? 'wide' : '',
    });
    ids.push(page.id);
    if (index === 1) {
      addRevision(store, page, { title: 'About this place', date: page.date + 2 * HOUR });
      addRevision(store, page, { title: 'About us', date: page.date + HOUR });
      addRevision(store, page, { title: 'About to be saved', date: page.modified, autosave: true });
    }
  }
}

const FIRST_FILE = Date.UTC(2024, 4, 2, 12, 0, 0);

/** Name, extension, type, number of the post that it belongs to (0 for none), status. */
const FILES: readonly [string, string, string, number, string][] = [
  ['Lamp', 'png', 'image/png', 1, 'inherit'],
  ['Market stall', 'jpg', 'image/jpeg', 1, 'inherit'],
  ['Timetable', 'pdf', 'application/pdf', 3, 'inherit'],
  ['Bell sound', 'mp3', 'audio/mpeg', 0, 'inherit'],
  ['Ferry film', 'mp4', 'video/mp4', 0, 'inherit'],
  ['Word list', 'txt', 'text/plain', 0, 'inherit'],
  ['Blue tile', 'gif', 'image/gif', 3, 'inherit'],
  ['Ledger', 'zip', 'application/zip', 0, 'inherit'],
  ['Sketch', 'png', 'image/png', 0, 'private'],
  ['Blurred shot', 'png', 'image/png', 0, 'trash'],
];

/** A transparent PNG image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Adds 10 attachments of every media type, some attached to posts, one private, one in the trash. */
function seedMedia(store: Store): void {
  const posts = store.ofKind('posts');
  FILES.forEach(([title, extension, type, owner, status], index) => {
    const isImage = type.startsWith('image/');
    const bytes = isImage ? Buffer.from(PIXEL, 'base64') : Buffer.from(title);
    const file = { path: `2024/05/${slugOf(title)}.${extension}`, type, bytes };
    store.add({
      kind: 'media',
      ...named(title, status, 'inherit'),
      parent: posts[owner - 1]?.id ?? 0,
      date: FIRST_FILE + ((index * 3) % 10) * 29 * HOUR,
      modified: FIRST_FILE + 3000 * HOUR + ((index * 7) % 11) * 17 * HOUR,
      content: index === 2 ? 'Departures of the paddle steamer' : '',
      excerpt: index === 0 ? 'A brass fitting' : '',
      altText: isImage ? `Picture of ${title.toLowerCase()}` : '',
      author: index % 3 === 0 ? 2 : 1,
      pingStatus: 'closed',
      template: index === 4 ? 'wide' : '',
      file: { ...file, ...(isImage ? { width: 640, height: 480 } : { width: 0, height: 0 }) },
    });
  });
  const [lamp] = store.ofKind('media');
  if (posts[0] && lamp) posts[0].featuredMedia = lamp.id;
}

const FIRST_RECORD = Date.UTC(2024, 7, 20, 10, 45, 0);
const OPEN = 24;

/** Words for generated titles, not in alphabetical order. */
const FIRST_WORDS = ['Quince', 'Anchor', 'Meadow', 'Violin', 'Bramble', 'Thimble', 'Cedar', 'Pepper'];
const LAST_WORDS = ['lane', 'hours', 'trade', 'country', 'ledger', 'garden', 'winter', 'bridge'];
const SOME_FORMATS = ['standard', 'aside', 'gallery', 'link', 'quote'];

/**
 * Adds generated records of a resource without content here: public ones with distinct dates, then one of each other
 * status. The first gets revisions and an autosave, if the resource has such children.
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
  return {
    ...named(title, status, statuses.open),
    date: status === 'future' ? FAR_AHEAD : FIRST_RECORD + ((index * 7) % 30) * 29 * HOUR,
    modified: FIRST_RECORD + 5000 * HOUR + ((index * 11 + 20) % 31) * 17 * HOUR,
    content: `<p>Number ${index + 1} of ${id}${index % 7 === 3 ? ' mentions a kestrel' : ''}.</p>`,
    excerpt: index % 3 === 0 ? `Summary ${index + 1}${index === 6 ? ' with lavender' : ''}.` : '',
    password: protects && index === 12 ? 'swordfish' : '',
    author: index % 3 === 1 ? 2 : 1,
    menuOrder: (index * 5) % 19,
    template: index === 4 ? 'wide' : '',
    commentStatus: index % 4 === 3 ? 'closed' : 'open',
    ...specialFieldsOf(fields, index),
    ...(kind === 'uploads' ? { file: fileOf(slugOf(title)) } : {}),
  };
}

/** Those of the fields that not every resource has. */
function specialFieldsOf(fields: Resource['fields'], index: number): Partial<StoredRecord> {
  const special: Partial<StoredRecord> = {
    sticky: index === 2 || index === 9,
    format: SOME_FORMATS[index % SOME_FORMATS.length] ?? 'standard',
    categories: index % 6 === 0 ? [2, 4] : [(index % 5) + 1],
    tags: [index % 2 === 0 ? 6 : 7, ...(index % 5 === 0 ? [8] : [])],
  };
  return Object.fromEntries(Object.entries(special).filter(([name]) => name in fields));
}

function titleOf(index: number): string {
  const [round, turn] = [Math.floor(index / FIRST_WORDS.length), index % FIRST_WORDS.length];
  const last = LAST_WORDS[(turn * 5 + round) % LAST_WORDS.length];
  return `${FIRST_WORDS[(turn * 3) % FIRST_WORDS.length]} ${last}`;
}

function fileOf(name: string): MediaFile {
  return { path: `2024/08/${name}.txt`, type: 'text/plain', width: 0, height: 0, bytes: Buffer.from(name) };
}
