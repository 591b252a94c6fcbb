import type { Observation } from '../../../client/observation.ts';
import { cannotTell, Ended } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeQuery } from '../../../generators/wire-forms.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { idsIn } from '../../records/own/ids-in.ts';
import { untoldBy } from '../../records/own/judge-write.ts';
import type { OwnRecord } from '../../records/own/own-records.ts';

/**
 * Whether the list of an upload's collection, narrowed to one item and by further filters, holds that item.
 * @param filters values by the neutral names of the parameters
 * @throws Ended when the list cannot be read
 */
export async function listsMedia(
  session: Session,
  { collection, id }: Pick<OwnRecord, 'collection' | 'id'>,
  filters: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly listed: boolean; readonly answer: Observation }> {
  const list = operationFor(session.contract, collection, 'list');
  const wire = (name: string): string => list?.parameters.find((one) => one.name === name)?.wire ?? name;
  const answer = await session.client.request({
    method: 'GET',
    route: list?.route.wire ?? '',
    query: Object.entries({ include: [id], ...filters }).flatMap(([name, value]) =>
      encodeQuery(wire(name), value),
    ),
    as: 'user',
  });
  const untold = untoldBy(`the list of ${collection}`, answer);
  if (untold !== undefined) throw new Ended(untold);
  if (answer.answer !== 'accepted')
    throw cannotTell(`the list of ${collection} is not accepted (${describe(answer)})`);
  return { listed: idsIn(answer).includes(id), answer };
}
