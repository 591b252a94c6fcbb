import type { Session } from '../../../engine/session.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { hasSoleUser, recordsBeside } from '../reading/beside.ts';
import { listRequest, readList } from '../reading/list-request.ts';
import { openList } from '../reading/open-list.ts';
import { type SiteRecord, valuesOf } from '../reading/record.ts';
import type { StageGround } from './pieces.ts';

/** Ids that are tried where the site shows neither terms nor users: those that installations give first. */
const FIRST_IDS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const MOST_AUTHORS = 4;
/** Names that themes give templates beside the usual one; which ones a site has is not published. */
const TEMPLATES = ['page-no-title', 'no-title', 'wide'];

/** Looks what a site has of a collection, so that the stage adds what it has not. */
export async function lookRound(
  session: Session,
  { id, operations, statuses }: Resource,
  create: Operation,
): Promise<StageGround> {
  const tag = session.journal?.tag ?? '';
  const list = operations.list;
  const shown = list === undefined ? [] : await shownBy(session, list, statuses?.listed ?? []);
  const taxonomies = create.parameters.filter(({ schema }) => schema['x-names'] === 'terms');
  const terms: Record<string, readonly number[]> = {};
  for (const { name, wire } of taxonomies) {
    const known = numbersIn(shown, wire);
    const beside = await besideOf(session, `${list?.route.wire ?? id}`, wire);
    terms[name] = distinct([...known, ...beside]);
  }
  const authors = await authorsOf(session, list?.route.wire ?? id, shown);
  return { tag, shown, terms, authors, templates: templatesOf(session, create) };
}

/** What the owner of the site says, and then what themes often have. */
function templatesOf({ hints }: Session, { id }: Operation): string[] {
  const told = hints[id]?.template ?? [];
  return distinct([...told.filter((name) => typeof name === 'string'), ...TEMPLATES]);
}

/** Users who may be authors: known ones, or ids to try; none where the site has one user alone. */
async function authorsOf(session: Session, route: string, shown: readonly SiteRecord[]): Promise<number[]> {
  if (await hasSoleUser(session, route)) return [];
  const known = distinct([...numbersIn(shown, 'author'), ...(await besideOf(session, route, 'users'))]);
  return (known.length > 1 ? known : FIRST_IDS).slice(0, MOST_AUTHORS);
}

/** The ids of terms to try where a site shows none. */
export function guessedTerms(create: Operation): Readonly<Record<string, readonly number[]>> {
  const taxonomies = create.parameters.filter(({ schema }) => schema['x-names'] === 'terms');
  return Object.fromEntries(taxonomies.map(({ name }) => [name, FIRST_IDS]));
}

/** One page of a list in every status; of the usual one where the list refuses some. */
async function shownBy(
  session: Session,
  list: Operation,
  statuses: readonly string[],
): Promise<readonly SiteRecord[]> {
  const subject = await openList(session, list, list.route.wire);
  const status = list.parameters.find(({ name }) => name === 'status')?.wire;
  const variants = status === undefined ? [{}] : [{ [status]: statuses }, {}];
  for (const variant of variants) {
    const answer = readList(await session.ask(listRequest(subject, variant)));
    if (answer.kind === 'list') return answer.records;
  }
  return [];
}

/** The ids in a list beside that of a collection, such as its terms. */
async function besideOf(session: Session, route: string, name: string): Promise<number[]> {
  const records = await recordsBeside(session, route.replace(/[^/]+$/, name));
  return records?.map(({ id }) => id) ?? [];
}

function numbersIn(records: readonly SiteRecord[], name: string): number[] {
  const values = records.flatMap((record) => valuesOf(record, name) ?? []);
  return distinct(values.filter((value) => typeof value === 'number'));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
