import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import type { Collection } from '../../target/journal.ts';
import { isObject, type JsonObject } from '../../target/json.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from '../fitted-list.ts';

const MOST_PAGES = 100;
const RECORD_STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
const MEDIA_STATUSES = ['inherit', 'private', 'trash'];

/** The records of a collection in every status, or why they cannot be listed. */
export type Listing = { readonly records: readonly JsonObject[] } | { readonly reason: string };

/**
 * Lists a collection in every status that a record of it can have, with the credentials of the user.
 * @param options only records that hold the text `search`; in which context they are shown
 */
export async function listAll(
  client: Client,
  contract: Contract,
  collection: Collection,
  options: { readonly search?: string; readonly context?: 'edit' | 'embed' } = {},
): Promise<Listing> {
  const list = contract.operations.find(({ id }) => id === `${collection}.list`);
  if (list === undefined) return { records: [] };
  const statuses = collection === 'media' ? MEDIA_STATUSES : RECORD_STATUSES;
  const records: JsonObject[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { observation: answer, query } = await askFitted(client, {
      method: 'GET',
      route: list.route.wire,
      query: [
        ['context', options.context ?? 'edit'],
        ['status', statuses.join(',')],
        ['orderby', 'id'],
        ['order', 'asc'],
        ['per_page', String(MOST_PER_PAGE)],
        ['page', String(page)],
        ...(options.search === undefined ? [] : ([['search', options.search]] as const)),
      ],
      as: 'user',
    });
    if (page > 1 && answer.answer === 'refused') return { records };
    if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) {
      return {
        reason: `the list of ${collection} in every status answers ${answer.answer} (status ${answer.status})`,
      };
    }
    records.push(...answer.json.filter(isObject));
    if (answer.json.length < sizeIn(query)) return { records };
  }
  return { reason: `there are more than ${MOST_PER_PAGE * MOST_PAGES} ${collection}` };
}
