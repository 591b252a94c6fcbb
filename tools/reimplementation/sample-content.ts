import { crc32, deflateSync } from 'node:zlib';
import { blank, type Child, type Item, type Kind, type Store, USERS } from './store.ts';

const TITLES = [
  'Rivers',
  'Apples and pears',
  'Stones',
  'In winter',
  'Lamps',
  'Bridges of wood',
  'Maps',
  'Harvest',
];
const CONTENTS = ['granite', 'meadow', 'thunder', 'pepper', 'lantern', 'violet', 'copper', 'barley'];
const EXCERPTS = ['saffron', 'cobalt', 'walnut', 'cedar', 'marble', 'amber', 'juniper', 'velvet'];
const OTHER_STATUSES = ['draft', 'pending', 'private', 'future', 'trash'];

type Add = (kind: Kind, number: number, more?: Partial<Item>) => Item;

/** Puts some records into a site, so that its lists have something to show. */
export function sampleContent(store: Store): void {
  const [first = 1, second = 1] = Object.values(USERS);
  const add: Add = (kind, number, more = {}) => {
    const at = number % TITLES.length;
    const title = `${TITLES[at]}${number < TITLES.length ? '' : ` again ${number}`}`;
    const date = Date.UTC(2021, (number * 5) % 12, 1 + number, 10, number * 7);
    const text = `Much ${CONTENTS[at]}, and number ${number * 11}.`;
    const short = `Some ${EXCERPTS[at]}.`;
    const item: Item = {
      ...blank(store.nextId(), kind, number % 3 === 0 ? second : first),
      title,
      ...(kind === 'media' ? { description: text, caption: short } : { content: text, excerpt: short }),
      slug: `${title.toLowerCase().replaceAll(' ', '-')}-${kind}`,
      status: kind === 'media' ? 'inherit' : 'publish',
      date,
      modified: Date.UTC(2022, (number * 7) % 12, 1 + number),
      ...more,
    };
    store.items.set(item.id, item);
    return item;
  };
  const files = addFiles(add);
  addPosts(add, files[0]?.id ?? 0);
  const pages = [1, 2, 3, 4].map((number) => add('pages', number, { menu_order: number % 3 }));
  for (const number of [5, 6]) add('pages', number, { parent: pages[number - 5]?.id ?? 0, menu_order: 4 });
  const [file] = files;
  if (file !== undefined) file.post = pages[0]?.id ?? 0;
  for (const kind of ['posts', 'pages'] as const) {
    for (const [at, status] of OTHER_STATUSES.entries()) {
      const date = status === 'future' ? Date.UTC(2091, 1, 2) : undefined;
      add(kind, 20 + at, { status, ...(date !== undefined && { date }) });
    }
    add(kind, 30, { password: 'open sesame' });
    addChildren(store, add(kind, 31, { modified: Date.UTC(2024, 1, 2) }));
  }
}

function addFiles(add: Add): Item[] {
  const about: readonly Partial<Item>[] = [
    { mime: 'image/png', file: picture(), template: 'frame.html', alt_text: 'a dot' },
    { mime: 'audio/mpeg', file: Buffer.from('ID3') },
    { mime: 'text/plain', file: Buffer.from('text') },
    { mime: 'video/mp4', file: Buffer.from('mp4') },
    { mime: 'application/pdf', file: Buffer.from('%PDF') },
    { mime: 'image/png', file: picture(), status: 'private' },
    { mime: 'image/png', file: picture(), status: 'trash' },
  ];
  return about.map((more, at) => add('media', at, more));
}

function addPosts(add: Add, picture: number): void {
  for (let number = 1; number <= 12; number += 1) {
    add('posts', number, {
      categories: [[51], [53], [51, 52], [52], []][number % 5] ?? [],
      tags: [[71], [71, 72], [72], []][number % 4] ?? [],
      format: ['standard', 'aside', 'gallery'][number % 3] ?? 'standard',
      sticky: number === 4,
      featured_media: number === 2 ? picture : 0,
    });
  }
}

/** What a record was once, and what it is to become; what is saved without being asked keeps its id and gets a new date. */
function addChildren(store: Store, parent: Item): void {
  const saved = { title: 'Copse', kind: 'autosaves', hour: 9 } as const;
  const revision = (
    title: string,
    hour: number,
  ): Pick<Child, 'title' | 'kind'> & { readonly hour: number } => ({
    title,
    kind: 'revisions',
    hour,
  });
  const children = [
    revision('Quarry', 1),
    revision('Birch meadowland', 2),
    saved,
    revision('Willow meadowland', 3),
  ];
  for (const { title, kind, hour } of children) {
    const id = store.nextId();
    const about = { parent: parent.id, author: parent.author, date: Date.UTC(2023, 4, 5, hour) };
    store.children.set(id, { ...about, id, kind, title, content: `Once ${title}.`, excerpt: '' });
  }
}

/** A picture of one dot. */
function picture(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 200, 30, 60]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
