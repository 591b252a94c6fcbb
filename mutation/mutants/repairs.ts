import type { Json } from '../../reference/json.ts';
import { fileAddress } from '../../reference/media-fields.ts';
import { permalink } from '../../reference/show-record.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import { handling, healthy, without } from '../toolkit/handling.ts';

/** Stands for a value that a lenient site did not refuse. */
export const REPAIRED = 'http://127.0.0.1/repaired';

/**
 * What a lenient site makes of a value that it should refuse, by operation and parameter: where leaving the value out is
 * refused for its meaning, being lenient would not show otherwise.
 */
const REPAIRS: Readonly<Record<string, (call: Call) => Call>> = {
  'oembed.embed/url': withPost,
  'oembed.proxy/url': withPost,
  'media.edit/src': (call) => {
    const stored = call.site.store.get(Number(call.args.id), 'attachment');
    return withArgument(call, 'src', stored ? fileAddress(call.site, stored) : null);
  },
  'media.delete/force': (call) => withArgument(call, 'force', true),
  'posts.read/password': withoutPassword,
  'pages.read/password': withoutPassword,
};

/** Whether a lenient site has to make something of a value. */
export function isRepaired(id: string, name: string): boolean {
  return Object.hasOwn(REPAIRS, `${id}/${name}`);
}

/** A site that makes something of the argument `REPAIRED`; as usual where that is not needed. */
export function repairing(id: string, name: string): Partial<Behaviour> {
  const repair = REPAIRS[`${id}/${name}`];
  if (!repair) return {};
  return handling(id, (call) => healthy(call.args[name] === REPAIRED ? repair(call) : call));
}

function withArgument(call: Call, name: string, value: Json): Call {
  return { ...call, args: { ...call.args, [name]: value } };
}

function withPost(call: Call): Call {
  const post = call.site.store.ofKind('post').find(({ status }) => status === 'publish');
  return withArgument(call, 'url', post ? permalink(call.site, post) : null);
}

function withoutPassword(call: Call): Call {
  const request = { ...call.request, query: without(call.request.query, 'password') };
  return { ...call, request, args: without(call.args, 'password') };
}
