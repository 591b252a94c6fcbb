import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Caller, Session } from '../../../engine/session.ts';
import { encodeArgs, encodeQuery, type Pair } from '../../../generators/wire-forms.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { askFitted, MOST_PER_PAGE } from '../reading/list-request.ts';
import { idsIn, itemsOf } from '../reading/record.ts';
import { contradicts } from './outcome.ts';

/** Which of the own records a list shows. */
export interface OwnList {
  readonly observation: Observation;
  /** The ids of what it shows; undefined where it shows no list. */
  readonly ids: readonly number[] | undefined;
  readonly items: readonly unknown[];
  /** Statuses that were asked for, and that the list refuses alone too: it was asked for the others. */
  readonly lacking: readonly string[];
}

/**
 * Asks for own records by their ids, fresh, in some statuses or the default. @param beside arguments unknown to the
 * list
 */
export async function listOwn(
  session: Session,
  collection: Collection,
  as: Caller,
  ids: readonly number[],
  { statuses = [], beside = [] }: { statuses?: readonly string[]; beside?: readonly Pair[] } = {},
): Promise<OwnList> {
  const route = operationFor(session.contract, collection, 'list')?.route.wire ?? '';
  const status = statuses.length === 0 ? undefined : statuses;
  const args = { include: ids, context: 'view', per_page: MOST_PER_PAGE, status };
  const query = [...encodeArgs(args), ...beside];
  // What the usual context shows is the same where it is not named.
  const dispensable = ['per_page', 'context'];
  const spec = { method: 'GET', route, query, as } as const;
  const { observation } = await askFitted(session.client, spec, { dispensable });
  let lacking: string[] = [];
  if (observation.answer === 'refused') {
    const asked = encodeQuery('status', statuses);
    lacking = (await refusedAlone(session, { route, as }, asked)).map(([, one]) => one);
    const others = statuses.filter((status) => !lacking.includes(status));
    if (lacking.length > 0 && others.length > 0) {
      return { ...(await listOwn(session, collection, as, ids, { statuses: others, beside })), lacking };
    }
  }
  const items = itemsOf(observation);
  const isList = observation.answer === 'accepted' && Array.isArray(observation.json);
  return { observation, items, ids: isList ? idsIn(observation) : undefined, lacking };
}

/** The failure of a list that shows a record all the same. @param before the answers that lead to it */
export function stillShown(
  message: string,
  { ids, observation }: OwnList,
  { id }: { readonly id: number },
  ...before: readonly Observation[]
): Finding | undefined {
  if (ids?.includes(id) !== true) return undefined;
  return contradicts(message, `no id ${id} in it`, `the ids ${ids.join(', ')}`, ...before, observation);
}

/** Which arguments a list refuses when asked with one of them alone. Remembered for the run. */
export async function refusedAlone(
  session: Session,
  list: { readonly route: string; readonly as: Caller },
  args: readonly Pair[],
): Promise<readonly Pair[]> {
  const refused: Pair[] = [];
  for (const pair of args) {
    const answer = await session.ask({ ...list, method: 'GET', query: [pair] });
    if (answer.answer === 'refused') refused.push(pair);
  }
  return refused;
}
