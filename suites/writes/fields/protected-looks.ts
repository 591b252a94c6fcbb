import { member } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { listOwn } from '../../../probing/records/own/list-own.ts';
import { makeRecord } from '../../../probing/records/own/make-record.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { WritableCollection } from '../../../probing/records/own/writable-fields.ts';
import { batchOperation, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';

/** An answer to a caller who must not see protected text. */
export interface Look {
  readonly observation: Observation;
  readonly where: string;
  /** The curl lines to send before it, in order, after the creation; default: none. */
  readonly before?: readonly string[];
}

/** What anonymous callers see of a record without its password: alone in view and embed, and in a list. */
export const anonymousLooks: OwnFixture<readonly Look[], [record: OwnRecord]> = ownFixture(
  'own {} with a password seen by others',
  async (own, record) => {
    const { observation } = await listOwn(own.session, record.collection, 'anonymous', [record.id]);
    const looks = await Array.fromAsync(['view', 'embed'] as const, async (context) => {
      const alone = await own.read(record, context, 'anonymous');
      return { observation: alone, where: `the context ${context}` };
    });
    return [...looks, { observation, where: 'a list' }];
  },
  ({ collection }) => [collection],
);

/** A request that may show the record, and its description. */
interface Way extends Pick<RequestSpec, 'method' | 'route' | 'query' | 'body' | 'intent'> {
  readonly where: string;
}

/** What other requests show without the password to anonymous callers, and to users who may not edit it (§5.4). */
export const furtherLooks: Fixture<readonly Look[], [about: WritableCollection, record: OwnRecord]> = fixture(
  'own {} with a password asked for by all ways',
  async (session, about, record) => {
    const looks: Look[] = [];
    const [inEdit, ...ways] = waysOf(session, about, record);
    for (const caller of [undefined, ...session.client.users]) {
      const look = async ({ where, ...spec }: Way): Promise<Look> => {
        const who = caller === undefined ? ({ as: 'anonymous' } as const) : { caller };
        const by = caller === undefined ? '' : `, to the caller "${caller}"`;
        return { observation: await session.client.request({ ...spec, ...who }), where: `${where}${by}` };
      };
      if (inEdit !== undefined) {
        const edit = await look(inEdit);
        if (caller === undefined) looks.push(edit);
        else if (edit.observation.answer === 'accepted') continue;
      }
      for (const way of ways) looks.push(await look(way));
    }
    return looks;
  },
  ({ collection }) => [collection],
);

/** The requests for a record, with context edit first. Arguments that do not affect each other share a request. */
function waysOf(session: Session, about: WritableCollection, { id, slug, shown }: OwnRecord): Way[] {
  const { list, read } = about.resource.operations;
  const route = read === undefined ? '' : routeFor(read, id);
  const get = (where: string, args: Args, from = route): Way => ({
    where,
    method: 'GET',
    route: from,
    query: encodeArgs(args),
  });
  const excerpt = read === undefined ? {} : declaredOf(read, { excerpt_length: 20 });
  const listed = (where: string, args: Args, undeclared: Args = {}): Way[] =>
    list === undefined ? [] : [get(where, { ...declaredOf(list, args), ...undeclared }, list.route.wire)];
  const partial = { _embed: 1, _fields: 'content,excerpt' };
  return [
    get('the context edit', { context: 'edit' }),
    get('an answer with what it embeds', { _embed: 1, ...excerpt }),
    get('an answer with some members', { _fields: 'content,excerpt' }),
    ...listed('a list by its values', { ...ownArgs(about, shown), ...ORDERED }, partial),
    ...listed('a list by a search', { search: slug }),
    ...listed('a list in the context embed', { include: [id], context: 'embed' }, { _embed: 1 }),
    ...elsewhere(session, route, shown),
  ];
}

/** What anonymous callers see of a child record that embeds the protected one; empty if records have no parents. */
export const belowLooks: OwnFixture<readonly Look[], [about: WritableCollection, record: OwnRecord]> =
  ownFixture(
    'own {} below one with a password',
    async (own, { collection, operation, resource }, record) => {
      const { read } = resource.operations;
      if (read === undefined || !takes(operation, 'parent')) return [];
      const written = new Map<string, unknown>([
        ['status', resource.statuses?.open],
        ['parent', record.id],
      ]);
      const below = await makeRecord(own, { collection, written });
      if (!('id' in below)) return [];
      const observation = await own.get(routeFor(read, below.id), 'anonymous', [['_embed', '1']]);
      return [{ observation, where: 'what a record below it embeds' }];
    },
    ({ collection }) => [collection],
  );

/** Arguments that change neither which records are listed nor what they show. */
const ORDERED: Args = { after: '1980-01-01T00:00:00', order: 'asc', orderby: 'id', offset: 0 };

function ownArgs({ resource }: WritableCollection, shown: unknown): Args {
  const own = ['slug', 'author', 'categories'].map((name) => [name, member(shown, name)]);
  const parent = member(shown, 'parent');
  const above = typeof parent === 'number' && { parent: [parent] };
  return { ...Object.fromEntries(own), ...above, status: resource.statuses?.open };
}

/** Requests that are not a route of the record: an embed of its address, and a part of a batch. */
function elsewhere(session: Session, path: string, shown: unknown): Way[] {
  const link = member(shown, 'link');
  const lookUp = session.operation('oembed.embed');
  const batch = batchOperation(session.contract);
  const ways: Way[] = [];
  if (lookUp !== undefined && typeof link === 'string') {
    ways.push({ where: 'its embedding', method: 'GET', route: lookUp.route.wire, query: [['url', link]] });
  }
  if (batch !== undefined) {
    ways.push({
      where: 'the answer to a part of a batch',
      method: 'POST',
      route: batch.route.wire,
      // A change without fields changes nothing, whoever may make it.
      body: { json: { requests: [{ method: 'POST', path, body: {} }] } },
      intent: 'own-record',
    });
  }
  return ways;
}

/** The arguments that an operation accepts, by the names of the target. */
export function declaredOf({ parameters }: Operation, args: Args): Args {
  return Object.fromEntries(
    parameters.flatMap(({ name, wire }) => (args[name] === undefined ? [] : [[wire, args[name]]])),
  );
}
