import type { Finding } from '../../../engine/check.ts';
import { notApplicable } from '../../../engine/findings.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Caller, Session } from '../../../engine/session.ts';
import { MOST_PER_PAGE } from './fitted-list.ts';
import { readList } from './list-request.ts';
import type { SiteRecord } from './record.ts';
import { hint, TOTAL } from './snapshot.ts';

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
