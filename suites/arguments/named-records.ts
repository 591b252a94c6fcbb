import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { Session } from '../../engine/session.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { operationFor } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { wordsOf } from '../../specs/value-hints.ts';

const MOST_LISTS = 3;
const MOST_IDS = 2;

/** The id of the first record of a list, or of the list in an object; undefined if it is empty. */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const answer = await askList(session, collection);
  return answer && idsIn({ json: recordsIn(answer.json) })[0];
}

/** The answer of a list without arguments; undefined if the contract has no such list. */
export async function askList(
  { contract, ask, caller }: Session,
  collection: string | undefined,
): Promise<Observation | undefined> {
  const list = collection === undefined ? undefined : operationFor(contract, collection, 'list');
  return list && ask({ method: 'GET', route: list.route.wire, as: caller });
}

/** Ids of records that the name or description suggests: `course_ids` gets ids from the list at `courses`. */
export async function idsByName(
  session: Session,
  operation: Operation,
  name: string,
  schema: Schema,
): Promise<unknown[]> {
  const ids: unknown[][] = [];
  for (const list of listsOf(session.contract.operations, operation, nounsOf(name, schema))) {
    const { json } = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
    const shown = (recordsIn(json) ?? []).map((record) => member(record, 'id'));
    ids.push(shown.filter((id) => typeof id === 'number' || typeof id === 'string').slice(0, MOST_IDS));
  }
  // Takes the first id of each list before any second.
  return Array.from({ length: MOST_IDS }, (_, at) => ids.flatMap((some) => some.slice(at, at + 1))).flat();
}

/** Nouns that the name of an id parameter suggests, with hyphens, the likeliest first. */
export function nounsOf(name: string, { description = '' }: Schema): string[] {
  const words = wordsOf(name);
  if (!['id', 'ids'].includes(words.at(-1) ?? '')) return [];
  const own = words.slice(0, -1);
  return [...new Set([own.join('-'), ...wordsOf(description), ...own.slice(-1)])].filter(
    (noun) => noun !== '',
  );
}

/** The lists whose path ends with a noun, singular or plural; those near the operation first. */
function listsOf(all: readonly Operation[], { route }: Operation, nouns: readonly string[]): Operation[] {
  const lists = all.filter(
    ({ methods, route: { pathParameters } }) => methods.includes('GET') && pathParameters.length === 0,
  );
  const beside = lists.filter((one) => one.route.namespace === route.namespace);
  const found = [beside, lists].flatMap((some) =>
    nouns.flatMap((noun) => some.find((one) => isListOf(one, noun)) ?? []),
  );
  return [...new Set(found)].slice(0, MOST_LISTS);
}

function isListOf({ route: { path } }: Operation, noun: string): boolean {
  const [last = ''] = path.split('/').slice(-1);
  return [`${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies'), noun].includes(wordsOf(last).join('-'));
}

/** The records in an answer: the list itself, or the only list of objects in an object. */
export function recordsIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  const lists = Object.values(isObject(json) ? json : {}).filter(
    (value): value is unknown[] => Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  return lists.length === 1 ? lists[0] : undefined;
}
