import { Aborted } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import type { Operation, Parameter, Resource } from '../../../specs/model.ts';
import { listAll } from '../clean-up/list-all.ts';
import { termRoute } from '../own/most-records.ts';
import type { OwnRecord, OwnRecords } from '../own/own-records.ts';
import { recordsBeside } from '../reading/beside.ts';
import { MOST_PER_PAGE } from '../reading/fitted-list.ts';
import { parentOf, toRecords } from '../reading/record.ts';

/** How many terms records must be able to have, so that what is together and what is apart both show. */
const FEWEST = 2;
const WORDS = ['gable', 'rafter'];

/** What became of the terms that the records of a collection may have. */
interface Terms {
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
    const route = create && termRoute(create, field);
    if (route === undefined || !isWanted(name)) continue;
    const nested = isNested(list, field);
    const terms = (await hasEnough(session, route, nested)) ? undefined : await termsAt(session, route);
    if (terms === undefined) continue;
    const records = await someTerms(session, own, route, { there: terms, nested });
    if (typeof records === 'string') missing[name] = records;
    else {
      made[name] = records.length;
      ids[name] = [...terms, ...records.map(({ id }) => id)];
    }
  }
  return { ids, made, missing };
}

/** Whether a site shows enough terms, or more than one page of them. */
async function hasEnough(session: Session, route: string, nested: boolean): Promise<boolean> {
  const shown = (await recordsBeside(session, route)) ?? [];
  if (shown.length < FEWEST) return false;
  return !nested || shown.length >= MOST_PER_PAGE || shown.some((term) => (parentOf(term)?.[0] ?? 0) > 0);
}

/** Whether a filter by the terms of a field counts those below another one too. */
function isNested(list: Operation | undefined, { name }: Parameter): boolean {
  const filter = list?.parameters.find((parameter) => parameter.name === name);
  return filter?.schema.properties?.include_children !== undefined;
}

/** The ids of all terms; undefined where the index does not list that some can be made, or they cannot be listed. */
async function termsAt({ client, contract, index }: Session, route: string): Promise<number[] | undefined> {
  const entry = index.routes.find(({ key }) => key === route);
  if (entry?.endpoints.some(({ methods }) => methods.includes('POST')) !== true) return undefined;
  const listing = await listAll(client, contract, route);
  return 'reason' in listing ? undefined : toRecords(listing.records).map(({ id }) => id);
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
    if (error instanceof Aborted) return error.finding.message;
    throw error;
  }
}
