import { itemOf } from './reads.ts';
import { Refusal } from './refusal.ts';
import { showItem } from './show.ts';
import { type Call, type Reply, userOf } from './site.ts';
import type { Item } from './store.ts';

/** Makes the smaller pictures of a picture; this site keeps none, so there is nothing left to make. */
export function postProcess(call: Call): Reply {
  userOf(call);
  return { status: 200, body: showItem(itemOf('media', call), call) };
}

/** Makes an edited copy of a picture. */
export function editPicture(call: Call): Reply {
  const author = userOf(call);
  const { store } = call.site;
  const original = itemOf('media', call);
  if (!original.mime.startsWith('image/')) throw new Refusal(422, 'only pictures can be edited');
  if (call.args.src !== showItem(original, call).source_url)
    throw new Refusal(422, 'src is not the address of this picture');
  const id = store.nextId();
  const copy: Item = { ...original, id, author, slug: `${original.slug}-edited-${id}` };
  store.items.set(id, copy);
  return { status: 201, body: showItem(copy, call) };
}
