import { Ended } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import type { Operation, Parameter, Resource } from '../../../specs/model.ts';
import { listAll } from '../clean-up/list-all.ts';
import type { OwnRecord, OwnRecords } from '../own/own-records.ts';

/** How many terms records must be able to have, so that what is together and what is apart both show. */
const FEWEST = 2;
const WORDS = ['gable', 'rafter'];

/** What became of the terms that the records of a collection may have. */
export interface Terms {
  /** Ids by the neutral name of the field that takes them. */
  readonly ids: Readonly<Record<string, readonly number[]>>;
  /** How many were made, by that name. */
  readonly made: Readonly<Record<string, number>>;
  /** Why there are too few all the same, by that name. */
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * Makes terms where a site has too few, or none below another where a filter counts those: journalled, tagged and removed
 * at the end like own records, in the collection that the index lists beside that of the records under the name of the field.
 * @param known ids by the neutral name of the field that takes them
 * @param isWanted whether a check needs the terms of a field
 */
export async function makeTerms(
  session: Session,
  own: OwnRecords,
  { operations: { create, list } }: Resource,
  known: Readonly<Record<string, readonly number[]>>,
  isWanted: (name: string) => boolean,
): Promise<Terms> {
  const ids = { ...known };
  const made: Record<string, number> = {};
  const missing: Record<string, string> = {};
  for (const field of create?.parameters ?? []) {
    const { name } = field;
    if (field.schema['x-names'] !== 'terms' || !isWanted(name)) continue;
    const route = create?.route.wire.replace(/[^/]+$/, field.wire) ?? '';
    const terms = await termsAt(session, route);
    const nested = isNested(list, field);
    const isEnough = (terms ?? known[name] ?? []).length >= FEWEST && !(nested && terms?.every(isAtTop));
    if (terms === undefined || isEnough) continue;
    const records = await someTerms(session, own, route, { there: terms.map(({ id }) => id), nested });
    if (typeof records === 'string') missing[name] = records;
    else {
      made[name] = records.length;
      ids[name] = [...terms.map(({ id }) => id), ...records.map(({ id }) => id)];
    }
  }
  return { ids, made, missing };
}

interface Term {
  readonly id: number;
  readonly parent: unknown;
}

function isAtTop({ parent }: Term): boolean {
  return typeof parent !== 'number' || parent === 0;
}

/** Whether a filter by the terms of a field counts those below another one too. */
function isNested(list: Operation | undefined, { name }: Parameter): boolean {
  const filter = list?.parameters.find((parameter) => parameter.name === name);
  return filter?.schema.properties?.include_children !== undefined;
}

/** Every term of a collection; undefined where the index does not list that they can be made, or they cannot be listed. */
async function termsAt({ client, contract, index }: Session, route: string): Promise<Term[] | undefined> {
  const entry = index.routes.find(({ key }) => key === route);
  if (entry?.endpoints.some(({ methods }) => methods.includes('POST')) !== true) return undefined;
  const listing = await listAll(client, contract, route);
  if ('reason' in listing) return undefined;
  return listing.records.flatMap(({ id, parent }) => (typeof id === 'number' ? [{ id, parent }] : []));
}

/** Makes two terms, the second below the first where they are nested. @returns why one could not be made */
async function someTerms(
  session: Session,
  own: OwnRecords,
  route: string,
  { there, nested }: { readonly there: readonly number[]; readonly nested: boolean },
): Promise<OwnRecord[] | string> {
  const made: OwnRecord[] = [];
  try {
    own.open(route, there);
    for (const word of WORDS) {
      const slug = own.nextSlug();
      own.intend(route, slug);
      const [parent] = nested ? made : [];
      const answer = await session.client.request({
        method: 'POST',
        route,
        body: { json: { name: `${word} ${slug}`, slug, ...(parent !== undefined && { parent: parent.id }) } },
        as: 'user',
        intent: 'own-record',
      });
      const record = await own.settle(route, slug, answer);
      if (!('id' in record)) return record.finding?.message ?? describe(record.refused);
      made.push(record);
    }
    return made;
  } catch (error) {
    if (error instanceof Ended) return error.finding.message;
    throw error;
  }
}
