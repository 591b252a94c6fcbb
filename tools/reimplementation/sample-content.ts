import { crc32, deflateSync } from 'node:zlib';
import { blank, type Item, type Kind, type Store, USERS } from './store.ts';

const WORDS = ['Rivers', 'apples', 'Stones', 'winter', 'Lamps', 'bridges', 'Maps', 'harvest'];

/** Puts some records into a site, so that its lists have something to show. */
export function sampleContent(store: Store): void {
  const [first = 1, second = 1] = Object.values(USERS);
  const add = (kind: Kind, number: number, more: Partial<Item>): Item => {
    const word = WORDS[number % WORDS.length] ?? '';
    const date = Date.UTC(2021, (number * 5) % 12, 1 + number, 10, number * 7);
    const item: Item = {
      ...blank(store.nextId(), kind, number % 3 === 0 ? second : first),
      title: `${word} ${kind} ${number}`,
      content: `All about ${word.toLowerCase()} and number ${number * 11}.`,
      excerpt: `In short: ${word}.`,
      slug: `${word.toLowerCase()}-${kind}-${number}`,
      status: kind === 'media' ? 'inherit' : 'publish',
      date,
      modified: date + ((number * 7) % 5) * 86_400_000,
      ...more,
    };
    store.items.set(item.id, item);
    return item;
  };
  const files = [
    add('media', 1, {
      mime: 'image/png',
      file: picture(),
      title: 'Dot',
      alt_text: 'a dot',
      template: 'frame.html',
    }),
    add('media', 2, { mime: 'audio/mpeg', file: Buffer.from('ID3'), caption: 'a sound' }),
    add('media', 3, { mime: 'text/plain', file: Buffer.from('text'), description: 'some text' }),
    add('media', 4, { mime: 'video/mp4', file: Buffer.from('mp4') }),
    add('media', 5, { mime: 'application/pdf', file: Buffer.from('%PDF') }),
  ];
  for (let number = 1; number <= 12; number += 1) {
    add('posts', number, {
      categories: [[51], [53], [52, 54], []][number % 4] ?? [],
      tags: [[71], [72, 73], []][number % 3] ?? [],
      format: ['standard', 'aside', 'gallery'][number % 3] ?? 'standard',
      sticky: number === 4,
      featured_media: number === 2 ? (files[0]?.id ?? 0) : 0,
    });
  }
  const pages = [1, 2, 3, 4].map((number) => add('pages', number, { menu_order: number % 3 }));
  for (const number of [5, 6]) add('pages', number, { parent: pages[number - 5]?.id ?? 0, menu_order: 4 });
  const [file] = files;
  if (file !== undefined) file.post = pages[0]?.id ?? 0;
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
