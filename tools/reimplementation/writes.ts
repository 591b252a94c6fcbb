import { itemOf } from './reads.ts';
import { Refusal } from './refusal.ts';
import { keepRevision } from './revisions.ts';
import { showItem } from './show.ts';
import { type Call, listOf, memberOf, numberOf, type Reply, textOf, userOf } from './site.ts';
import { blank, CATEGORIES, type Item, type Kind, type Store, TAGS, USERS } from './store.ts';
import { instantOf } from './zone.ts';

/** Creates a record of what was sent. */
export function createItem(kind: Kind, call: Call): Reply {
  const author = userOf(call);
  const { store } = call.site;
  const item = blank(store.nextId(), kind, author);
  if (kind === 'media') {
    if (call.upload === undefined) throw new Refusal(422, 'there is no file in the request');
    item.file = call.upload.bytes;
    item.mime = call.upload.type;
    item.title = call.upload.name.replace(/\.[^.]*$/, '');
    item.slug = item.title;
  }
  write(item, call);
  if (item.title + item.content + item.excerpt === '') throw new Refusal(422, 'there is nothing to store');
  store.items.set(item.id, item);
  return { status: 201, body: showItem(item, inEdit(call)) };
}

/** Changes what was sent of a record, and nothing else. */
export function updateItem(kind: Kind, call: Call): Reply {
  const author = userOf(call);
  const item = itemOf(kind, call);
  const before = item.title + item.content + item.excerpt;
  write(item, call);
  item.modified = Math.max(item.modified, Math.floor(Date.now() / 1000) * 1000);
  if (item.title + item.content + item.excerpt !== before) keepRevision(call.site, item, author);
  return { status: 200, body: showItem(item, inEdit(call)) };
}

/** Puts a record into the trash, or removes it. */
export function deleteItem(kind: Kind, call: Call): Reply {
  userOf(call);
  const item = itemOf(kind, call);
  const { store, features } = call.site;
  if (call.args.force === true || !features.has('trash')) {
    store.remove(item.id);
    return { status: 200, body: { gone: item.id } };
  }
  if (item.status === 'trash') throw new Refusal(410, 'it is in the trash already');
  item.status = 'trash';
  return { status: 200, body: showItem(item, inEdit(call)) };
}

/** Who writes sees what was stored. */
function inEdit(call: Call): Call {
  return { ...call, args: { ...call.args, context: 'edit' } };
}

const TEXTS = ['title', 'content', 'excerpt', 'caption', 'description'] as const;
const WORDS = ['comment_status', 'ping_status', 'template', 'password', 'format', 'alt_text'] as const;
const NUMBERS = ['featured_media', 'parent', 'menu_order', 'post'] as const;

/** Names that are not declared are not among the arguments. */
function write(item: Item, { args, site }: Call): void {
  if (item.kind === 'media' && args.status !== undefined) {
    item.status = args.status === 'private' ? 'private' : 'inherit';
  } else if (item.kind !== 'media') {
    item.status = textOf(args.status) ?? item.status;
  }
  if (args.password !== undefined && args.password !== '' && (args.sticky === true || item.sticky))
    throw new Refusal(422, 'what is sticky has no password');
  const author = numberOf(args.author);
  if (author !== undefined) {
    if (!Object.values(USERS).includes(author)) throw new Refusal(422, `there is no user ${author}`);
    item.author = author;
  }
  for (const name of TEXTS) item[name] = textOf(memberOf(args[name], 'raw')) ?? item[name];
  for (const name of WORDS) item[name] = textOf(args[name]) ?? item[name];
  for (const name of NUMBERS) item[name] = numberOf(args[name]) ?? item[name];
  item.footnotes = textOf(memberOf(args.meta, 'footnotes')) ?? item.footnotes;
  if (typeof args.sticky === 'boolean') item.sticky = args.sticky;
  if (args.categories !== undefined)
    item.categories = known(args.categories, Object.keys(CATEGORIES).map(Number));
  if (args.tags !== undefined) item.tags = known(args.tags, TAGS);
  if (args.date === null || args.date_gmt === null) item.date = Math.floor(Date.now() / 1000) * 1000;
  const date = textOf(args.date);
  const gmt = textOf(args.date_gmt);
  if (date !== undefined) item.date = instantOf(date, 'local');
  else if (gmt !== undefined) item.date = instantOf(gmt, 'gmt');
  const slug = textOf(args.slug) ?? item.slug;
  item.slug = freeSlug(
    slug === '' ? item.title : slug,
    item,
    site.features.has('unique-slugs') ? site.store : undefined,
  );
}

function known(sent: unknown, ids: readonly number[]): number[] {
  return ids.filter((id) => listOf(sent)?.includes(id));
}

/** A slug of a text that no other record of its kind has. */
function freeSlug(text: string, item: Item, store: Store | undefined): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const taken = new Set(
    store
      ?.ofKind(item.kind)
      .filter(({ id }) => id !== item.id)
      .map((other) => other.slug),
  );
  let free = slug;
  for (let number = 2; free !== '' && taken.has(free); number += 1) free = `${slug}-${number}`;
  return free;
}
