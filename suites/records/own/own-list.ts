import type { Collection } from '../../../client/journal.ts';
import { member } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { Caller, Session } from '../../../engine/session.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { askFitted, MOST_PER_PAGE } from '../reading/fitted-list.ts';

/** Which of the own records a list shows. */
export interface OwnList {
  readonly observation: Observation;
  /** The ids of what it shows; undefined where it shows no list. */
  readonly ids: readonly number[] | undefined;
  readonly items: readonly unknown[];
}

/**
 * Asks for a list of certain own records, fresh. @param ids the only ones that it may show
 * @param statuses the statuses to filter by; the default of the list without
 */
export async function listOwn(
  session: Session,
  collection: Collection,
  as: Caller,
  ids: readonly number[],
  { statuses, context = 'view' }: { statuses?: readonly string[]; context?: 'view' | 'embed' } = {},
): Promise<OwnList> {
  const spec: RequestSpec = {
    method: 'GET',
    route: operationFor(session.contract, collection, 'list')?.route.wire ?? '',
    query: [
      ['include', ids.join(',')],
      ['context', context],
      ['per_page', String(MOST_PER_PAGE)],
      ...(statuses === undefined ? [] : ([['status', statuses.join(',')]] as const)),
    ],
    as,
  };
  // What the usual context shows is the same where it is not named.
  const dispensable = context === 'view' ? ['per_page', 'context'] : ['per_page'];
  const { observation } = await askFitted(session.client, spec, { dispensable });
  const items: readonly unknown[] = Array.isArray(observation.json) ? observation.json : [];
  const shown = items.map((item) => member(item, 'id')).filter((id) => typeof id === 'number');
  const isList = observation.answer === 'accepted' && Array.isArray(observation.json);
  return { observation, items, ids: isList ? shown : undefined };
}
