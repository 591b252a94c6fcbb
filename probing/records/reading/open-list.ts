import type { Finding } from '../../../engine/check.ts';
import { notApplicable } from '../../../engine/findings.ts';
import { type Caller, type Fixture, fixture, type Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import { declaredMaximum } from '../../declarations/find-route.ts';
import { askFitted, type Fitted, MOST_PER_PAGE, valueIn } from './fitted-list.ts';
import { type Args, listRequest, readList, type Subject } from './list-request.ts';
import type { SiteRecord } from './record.ts';
import { hint, TOTAL } from './snapshot.ts';

/** Arguments that every request for a list has. */
const USUAL = ['per_page', 'orderby', 'order'] as const;

/**
 * A list in the edit context for a user who may edit its records, in view otherwise: real software leaves out of edit
 * what the user may not edit. Where it refuses what the suite asks every list for, it is asked for less.
 * @param route with ids in place of its path parameters
 */
export const openList: Fixture<Subject, [operation: Operation, route: string]> = fixture(
  'open',
  async (session, operation, route) => {
    const { caller: as } = session;
    const context = as === 'anonymous' ? 'view' : 'edit';
    const subject: Subject = { operation, route, as, context };
    const fitted = await askFitted(session.client, listRequest(subject), {
      declared: declaredMaximum(session.index, operation, 'per_page'),
      send: (spec) => session.ask(spec),
    });
    const { observation } = fitted;
    const answer = readList(observation);
    const hides = answer.kind === 'list' && answer.items.length < 2 && (hint(observation, TOTAL) ?? 0) > 1;
    const fitting = { ...subject, ...usualOf(fitted, context) };
    return as === 'user' && (answer.kind === 'denied' || hides) ? { ...fitting, context: 'view' } : fitting;
  },
  (_, route) => [route],
);

/** What differs from the usual request for a list; nothing where that was sent. */
function usualOf({ query }: Fitted, context: Subject['context']): Pick<Subject, 'usual'> & Partial<Subject> {
  const sent = Object.fromEntries(USUAL.map((name) => [name, valueIn(query, name)]));
  const hasContext = valueIn(query, 'context') === context;
  const isUsual = sent.per_page === String(MOST_PER_PAGE) && sent.orderby === 'id' && sent.order === 'desc';
  if (isUsual && hasContext) return {};
  const usual: Args = { ...sent, ...(!hasContext && { context: undefined }) };
  return { usual, ...(!hasContext && { context: 'view' }) };
}

/** One page of a list that the contract does not have; undefined where the index does not list it, or it cannot be read. */
export async function recordsBeside(
  session: Session,
  route: string,
  as: Caller = session.caller,
): Promise<readonly SiteRecord[] | undefined> {
  if (!session.index.routes.some(({ key }) => key === route)) return undefined;
  const query = [['per_page', String(MOST_PER_PAGE)]] as const;
  const answer = readList(await session.ask({ method: 'GET', route, query, as }));
  return answer.kind === 'list' ? answer.records : undefined;
}

const USERS = 'users';

/**
 * Whether a site says itself that it has one user alone, so that nothing on it can be anybody else's. The edit context is
 * asked for: in others software shows callers without the right to list users those who have published something.
 * @param route of a collection whose records have authors, beside which the index may list the users
 */
export const hasSoleUser: Fixture<boolean, [route: string]> = fixture(
  'sole user',
  async (session, route) => {
    const beside = usersBeside(route);
    if (!session.index.routes.some(({ key }) => key === beside)) return false;
    const query = [
      ['context', 'edit'],
      ['per_page', String(MOST_PER_PAGE)],
    ] as const;
    const observation = await session.ask({ method: 'GET', route: beside, query, as: session.caller });
    const answer = readList(observation);
    return answer.kind === 'list' && answer.records.length === 1 && (hint(observation, TOTAL) ?? 1) === 1;
  },
  (route) => [usersBeside(route)],
);

function usersBeside(route: string): string {
  return route.replace(/[^/]+$/, USERS);
}

/** That a check which takes several authors has nothing to be applied to; undefined unless the site says so. */
export async function soleUserFinding(session: Session, route: string): Promise<Finding | undefined> {
  const isSole = await hasSoleUser(session, route);
  return isSole
    ? notApplicable('the site has one user alone, so that no record can have another author')
    : undefined;
}
