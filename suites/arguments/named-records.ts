import { includesMode } from '../../client/mode.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import type { Finding } from '../../engine/check.ts';
import { describe, explain, inconclusive } from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { likelyParents } from '../../probing/records/reading/find-parent.ts';
import { askFitted } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { idsIn, itemsOf } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { operationFor, routeFor, takes } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';

const MOST_PARENTS = 10;

/** Why no record of a collection can be named. @param list the answer of its list, if it has one */
export function whyNoId(collection: string, list?: Observation): string {
  if (list !== undefined && list.answer !== 'accepted' && list.answer !== 'denied')
    return `the list of ${collection} is ${explain(list)}`;
  return list !== undefined && itemsOf(list).length > 0
    ? `none of the ${collection} that the site shows has an integer id`
    : `the site shows no ${collection} to this caller`;
}

/** The id of the first record of a list; undefined if it is empty. */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const answer = await askList(session, collection);
  return answer && idsIn(answer)[0];
}

/** The id of a record that the list shows the user alone. A run that writes has public ones later. */
export async function hiddenId(session: Session, collection: string): Promise<number | undefined> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined || includesMode(session.client.mode, 'write')) return undefined;
  const snapshot = await snapshotOf(session, await openList(session, list));
  return isFinding(snapshot) ? undefined : snapshot.records[0]?.id;
}

/** The answer of a list without arguments; undefined if the contract has no such list. */
export async function askList(
  { contract, ask, caller }: Session,
  collection: string | undefined,
): Promise<Observation | undefined> {
  const list = collection === undefined ? undefined : operationFor(contract, collection, 'list');
  return list && ask({ method: 'GET', route: list.route.wire, as: caller });
}

type Family = Record<'parent' | 'child', number>;

/** A parent with revisions or autosaves, preferably several, and the id of its first child. */
export const familyOf: Fixture<Family | Finding, [children: ResourceRow]> = fixture(
  'child',
  async (
    session,
    { id: children, kind, parent: collection = '' }: ResourceRow,
  ): Promise<Family | Finding> => {
    const own = operationFor(session.contract, children, 'list');
    if (own === undefined) return inconclusive(`the deployment has no list of ${children}`);
    // Its arguments must show an effect; one child is always in the same order.
    const enough = ['per_page', 'order'].some((name) => takes(own, name)) ? 2 : 1;
    let found: Family | undefined;
    let reason = `the ${collection} changed last have no ${kind}`;
    const likely = await likelyParents(session, collection);
    const tried = isFinding(likely) ? [] : likely.slice(0, MOST_PARENTS);
    for (const { id: parent } of tried) {
      const answer = await childrenOf(session, own, parent, enough);
      if (answer.answer === 'denied') return inconclusive(`${kind} are denied to this caller`);
      if (answer.answer === 'broken') reason = `the ${kind} of some ${collection} are ${describe(answer)}`;
      const families = idsIn(answer).map((child) => ({ parent, child }));
      const [family] = families;
      if (family !== undefined && families.length >= enough) return family;
      found ??= family;
      const isUnnamed = family === undefined && itemsOf(answer).length > 0;
      if (isUnnamed) reason = `the ${collection} changed last have no ${kind} with an integer id`;
    }
    return found ?? inconclusive(reason);
  },
  ({ id }) => [id],
);

/** The children of a record, asked for with a page if the plain list shows less than `enough`. */
async function childrenOf(
  session: Session,
  list: Operation,
  parent: number,
  enough: number,
): Promise<Observation> {
  const plain = { method: 'GET', route: routeFor(list, parent), as: session.caller } as const;
  const answer = await session.ask(plain);
  if (answer.answer === 'denied' || idsIn(answer).length >= enough) return answer;
  // Other checks test the behaviour without these arguments, which must not hide the children here.
  const query = [['page', '1'] as const, ['per_page', '10'] as const].filter(([name]) => takes(list, name));
  const how = { dispensable: ['page', 'per_page'], send: (one: RequestSpec) => session.ask(one) };
  return (await askFitted(session.client, { ...plain, query }, how)).observation;
}
