import { inOrder, pageOf } from './order.ts';
import { itemOf } from './reads.ts';
import { Refusal } from './refusal.ts';
import { showChild } from './show.ts';
import { type Call, listOf, memberOf, type Reply, type Site, textOf, userOf } from './site.ts';
import type { Child, Item, Kind } from './store.ts';

/** Keeps what a record says now. */
export function keepRevision({ store, features }: Site, item: Item, author: number): void {
  if (item.kind === 'media' || !features.has('revisions')) return;
  const { title, content, excerpt } = item;
  const id = store.nextId();
  store.children.set(id, {
    id,
    kind: 'revisions',
    parent: item.id,
    author,
    date: Date.now(),
    title,
    content,
    excerpt,
  });
}

/** The revisions of a record. */
export function listRevisions(kind: Kind, call: Call): Reply {
  userOf(call);
  const { args, site } = call;
  const parent = itemOf(kind, call, args.parent);
  const [include, exclude] = [listOf(args.include), listOf(args.exclude)];
  const search = textOf(args.search)?.toLowerCase() ?? '';
  const found = site.store
    .childrenOf(parent.id)
    .filter(({ id }) => include === undefined || include.includes(id))
    .filter(({ id }) => !exclude?.includes(id))
    .filter(({ title, content, excerpt }) =>
      `${title}\n${content}\n${excerpt}`.toLowerCase().includes(search),
    )
    .map((child) => ({ ...child, slug: `${parent.slug}-then-${child.id}` }));
  return { status: 200, body: pageOf(inOrder(found, args), args).map((child) => showChild(child, call)) };
}

/** One revision, or one autosave. */
export function readChild(kind: Kind, of: Child['kind'], call: Call): Reply {
  userOf(call);
  return { status: 200, body: showChild(childOf(kind, of, call), call) };
}

/** Removes a revision; there is no trash for it. */
export function deleteRevision(kind: Kind, call: Call): Reply {
  userOf(call);
  const child = childOf(kind, 'revisions', call);
  if (call.args.force !== true) throw new Refusal(422, 'a revision can only be removed with force');
  call.site.store.children.delete(child.id);
  return { status: 200, body: { gone: child.id } };
}

function childOf(kind: Kind, of: Child['kind'], call: Call): Child {
  const parent = itemOf(kind, call, call.args.parent);
  const child = call.site.store.children.get(Number(call.args.id));
  if (child?.parent !== parent.id || (of === 'autosaves' && child.kind !== of))
    throw new Refusal(404, `${parent.id} has no ${call.args.id} among its ${of}`);
  return child;
}

/** The autosaves of a record. */
export function listAutosaves(kind: Kind, call: Call): Reply {
  userOf(call);
  const parent = itemOf(kind, call, call.args.id);
  const found = call.site.store.childrenOf(parent.id, 'autosaves');
  return { status: 200, body: found.map((child) => showChild(child, call)) };
}

/** Keeps what a record is to become, one for each user, beside what it says. */
export function createAutosave(kind: Kind, call: Call): Reply {
  const author = userOf(call);
  const { store } = call.site;
  const parent = itemOf(kind, call, call.args.id);
  const mine = store.childrenOf(parent.id, 'autosaves').find((child) => child.author === author);
  const said = (name: 'title' | 'content' | 'excerpt'): string =>
    textOf(memberOf(call.args[name], 'raw')) ?? parent[name];
  const child: Child = {
    id: mine?.id ?? store.nextId(),
    kind: 'autosaves',
    parent: parent.id,
    author,
    date: Date.now(),
    title: said('title'),
    content: said('content'),
    excerpt: said('excerpt'),
  };
  store.children.set(child.id, child);
  return { status: mine === undefined ? 201 : 200, body: showChild(child, call) };
}
