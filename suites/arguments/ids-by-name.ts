import { isObject, member } from '../../client/json.ts';
import type { Session } from '../../engine/session.ts';
import { wordsOf } from '../../specs/hints.ts';
import type { Operation } from '../../specs/model.ts';

const MOST_IDS = 2;

/**
 * Ids of the records that a parameter is named after: of `course_ids` or `courseId` those that the list at `courses` shows.
 * None where the site has no such list.
 */
export async function idsByName(session: Session, name: string): Promise<unknown[]> {
  const noun = nounOf(name);
  const list = noun === undefined ? undefined : listOf(session.contract.operations, noun);
  if (list === undefined) return [];
  const { json } = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
  const ids = (recordsIn(json) ?? []).map((record) => member(record, 'id'));
  return ids.filter((id) => typeof id === 'number' || typeof id === 'string').slice(0, MOST_IDS);
}

/** What a name says that it is the id of, its words with hyphens; undefined where it does not say so. */
function nounOf(name: string): string | undefined {
  const words = wordsOf(name);
  const isOfIds = words.length > 1 && ['id', 'ids'].includes(words.at(-1) ?? '');
  return isOfIds ? words.slice(0, -1).join('-') : undefined;
}

/** The list whose address ends with a noun, in the plural or as it is. */
function listOf(operations: readonly Operation[], noun: string): Operation | undefined {
  const nouns = [`${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies'), noun];
  return operations.find(({ methods, route: { path, pathParameters } }) => {
    const [last = ''] = path.split('/').slice(-1);
    const isList = methods.includes('GET') && pathParameters.length === 0;
    return isList && nouns.includes(wordsOf(last).join('-'));
  });
}

/** The records of an answer: the list itself, or the only list of objects that an object around it has. */
export function recordsIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  const lists = isObject(json) ? Object.values(json).filter(isListOfObjects) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
