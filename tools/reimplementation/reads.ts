import { testsOf } from './filters.ts';
import { inOrder, pageOf } from './order.ts';
import { Refusal } from './refusal.ts';
import { showItem } from './show.ts';
import { type Call, listOf, type Reply, userOf } from './site.ts';
import type { Item, Kind } from './store.ts';

/** A list of records: what everybody may see, or what a user asks for. */
export function listItems(kind: Kind, call: Call): Reply {
  const { site, args } = call;
  if (args.context === 'edit') userOf(call);
  const open = kind === 'media' ? 'inherit' : 'publish';
  const statuses = listOf(args.status) ?? [open];
  if (statuses.some((status) => status !== open)) userOf(call);
  const tests = testsOf(args);
  const found = site.store
    .ofKind(kind)
    .filter((item) => (statuses.includes('any') ? item.status !== 'trash' : statuses.includes(item.status)))
    .filter((item) => tests.every((test) => test(item)));
  const ordered = inOrder(found, args);
  // Before there are pages, a list is everything that there is.
  const sorted =
    args.ignore_sticky === false ? [...ordered].sort((a, b) => Number(b.sticky) - Number(a.sticky)) : ordered;
  return { status: 200, body: pageOf(sorted, args).map((item) => showItem(item, call)) };
}

/** The record that a call names. @throws Refusal where there is none, or none for a stranger */
export function itemOf(kind: Kind, call: Call, id: unknown = call.args.id): Item {
  const item = call.site.store.items.get(Number(id));
  if (item === undefined || item.kind !== kind) throw new Refusal(404, `there is no ${id} among the ${kind}`);
  if (item.status !== 'publish' && item.status !== 'inherit') userOf(call);
  return item;
}

/** One record. */
export function readItem(kind: Kind, call: Call): Reply {
  const item = itemOf(kind, call);
  if (call.args.context === 'edit') userOf(call);
  return { status: 200, body: showItem(item, call) };
}
