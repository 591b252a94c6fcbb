import { slugOf } from './slug.ts';
import type { Store } from './store.ts';

const HOUR = 3_600_000;
const FIRST = Date.UTC(2024, 4, 2, 12, 0, 0);

/** Name, extension, type, which of the posts it belongs to (0 for none, 1 for the first), status. */
const ROWS: readonly [string, string, string, number, string][] = [
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

/** Bytes of a transparent image of one pixel in PNG format. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Adds 10 attachments of every media type, some attached to posts, one private, one in the trash. */
export function seedMedia(store: Store): void {
  const posts = store.ofKind('posts');
  ROWS.forEach(([title, extension, type, owner, status], index) => {
    const slug = slugOf(title);
    const isImage = type.startsWith('image/');
    store.add({
      kind: 'media',
      title,
      slug: status === 'trash' ? `${slug}__trashed` : slug,
      beforeTrash: status === 'trash' ? { slug, status: 'inherit' } : undefined,
      status,
      parent: posts[owner - 1]?.id ?? 0,
      date: FIRST + ((index * 3) % 10) * 29 * HOUR,
      modified: FIRST + 3000 * HOUR + ((index * 7) % 11) * 17 * HOUR,
      content: index === 2 ? 'Departures of the paddle steamer' : '',
      excerpt: index === 0 ? 'A brass fitting' : '',
      altText: isImage ? `Picture of ${title.toLowerCase()}` : '',
      author: index % 3 === 0 ? 2 : 1,
      pingStatus: 'closed',
      template: index === 4 ? 'wide' : '',
      file: {
        path: `2024/05/${slug}.${extension}`,
        type,
        width: isImage ? 640 : 0,
        height: isImage ? 480 : 0,
        bytes: isImage ? Buffer.from(PIXEL, 'base64') : Buffer.from(title),
      },
    });
  });
  const [lamp] = store.ofKind('media');
  if (posts[0] && lamp) posts[0].featuredMedia = lamp.id;
}
