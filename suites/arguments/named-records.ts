import type { Observation } from '../../client/observation.ts';
import type { Session } from '../../engine/session.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { operationFor } from '../../specs/find-resource.ts';
import { recordsIn } from './ids-by-name.ts';

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
