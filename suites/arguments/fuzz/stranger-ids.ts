import { fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { collectionsOf } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { ownRecordsOf } from '../../records/own/own-records-of.ts';
import { NO_ID } from '../../records/reading/no-id.ts';
import type { FuzzSet } from '../../search/fuzz-set.ts';
import { firstId } from '../path-arguments.ts';
import type { StrangeValue } from './strange-values.ts';

const MOST_FOREIGN = 2;

/**
 * Ids that name nothing, a record of another resource, or, for an operation that writes, a record of the run's own that is
 * deleted: while checks read, nothing is made. What they are found by is remembered for the run.
 */
export async function strangerIds(
  session: Session,
  { resource, effect }: Operation,
): Promise<StrangeValue[]> {
  const about = resource?.parent ?? resource?.id;
  const others = collectionsOf(session.contract).filter(({ id }) => id !== about);
  const foreign: number[] = [];
  for (const { id } of others.slice(0, MOST_FOREIGN)) {
    const found = await firstId(session, id);
    if (found !== undefined) foreign.push(found);
  }
  const isWritten = about !== undefined && effect === 'writes';
  const deleted = isWritten ? await deletedId(session, about) : undefined;
  return [
    { kind: 'an id that nothing has', value: NO_ID },
    ...foreign.map((value): StrangeValue => ({ kind: 'an id of another resource', value })),
    ...(deleted === undefined ? [] : [{ kind: 'an id of what is deleted', value: deleted }]),
  ];
}

/** The id of a record that the run has made and deleted for good, once for each collection. */
const deletedId = fixture('deleted', async (session, collection: string): Promise<number | undefined> => {
  const own = ownRecordsOf(session);
  const resource = collectionsOf(session.contract).find(({ id }) => id === collection);
  if (own === undefined || resource?.kind !== 'records') return undefined;
  const made = await own.create(collection);
  if ('refused' in made) return undefined;
  const gone = await own.remove(made, true);
  return gone.answer === 'accepted' ? made.id : undefined;
});

/** Ids as a parameter takes them; none for one that does not look as if it took any. */
export function idsFor(schema: Schema, ids: readonly StrangeValue[]): StrangeValue[] {
  const takesIds = ({ minimum, maximum, ...one }: Schema): boolean =>
    one.enum === undefined &&
    minimum === undefined &&
    maximum === undefined &&
    typesOf(one).includes('integer');
  if (takesIds(schema)) return [...ids];
  if (schema.items === undefined || !takesIds(schema.items)) return [];
  return ids.map(({ kind, value }) => ({ kind, value: [value] }));
}

/** Sets that name a path by such an id, where a capture of it names a record. */
export function strangePaths({ route, resource }: Operation, ids: readonly StrangeValue[]): FuzzSet[] {
  if (resource === undefined) return [];
  return ids.flatMap(({ value, kind }) =>
    route.pathParameters.map(
      ({ name }): FuzzSet => ({
        phase: 'boundary',
        args: { [name]: value },
        about: [{ name, keyword: kind }],
      }),
    ),
  );
}

/** A route in which path parameters have other values. @param filled the route with its path parameters filled */
export function routeWith(
  { route }: Operation,
  filled: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const parts = filled.split('/');
  for (const [at, segment] of route.wire.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined && Object.hasOwn(values, name))
      parts[at] = encodeURIComponent(String(values[name]));
  }
  return parts.join('/');
}
