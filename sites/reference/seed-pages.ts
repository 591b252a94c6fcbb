import { addRevision } from './seed-posts.ts';
import { slugOf } from './slug.ts';
import type { Store } from './store.ts';

const HOUR = 3_600_000;
const FIRST = Date.UTC(2023, 8, 4, 7, 15, 0);

/** Title, position of the parent among the rows (-1 for none), order in menus, status. */
const ROWS: readonly [string, number, number, string][] = [
  ['Visit us', -1, 3, 'publish'],
  ['About', -1, 1, 'publish'],
  ['Opening hours', 0, 0, 'publish'],
  ['History', 1, 2, 'publish'],
  ['People', 1, 5, 'publish'],
  ['Contact', -1, 2, 'publish'],
  ['Getting here', 0, 4, 'publish'],
  ['Imprint', -1, 9, 'publish'],
  ['Members', -1, 7, 'publish'],
  ['Plans', -1, 0, 'draft'],
  ['Board', 1, 6, 'private'],
  ['Former shop', -1, 0, 'trash'],
];

/** Adds 12 pages, three levels of status, two parents with children, one page with a password. */
export function seedPages(store: Store): void {
  const ids: number[] = [];
  for (const [index, [title, parent, menuOrder, status]] of ROWS.entries()) {
    const slug = slugOf(title);
    const page = store.add({
      kind: 'pages',
      title,
      slug: status === 'trash' ? `${slug}__trashed` : slug,
      beforeTrash: status === 'trash' ? { slug, status: 'publish' } : undefined,
      status,
      parent: ids[parent] ?? 0,
      menuOrder,
      date: FIRST + ((index * 5) % 12) * 50 * HOUR,
      modified: FIRST + 9000 * HOUR + ((index * 7) % 13) * 31 * HOUR,
      content: `<p>Page ${index + 1}: ${index === 3 ? 'a chronicle of the windmill' : 'facts for visitors'}.</p>`,
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
