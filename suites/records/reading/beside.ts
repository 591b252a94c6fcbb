import type { Session } from '../../../engine/session.ts';
import { MOST_PER_PAGE } from './fitted-list.ts';
import { readList } from './read-list.ts';
import type { SiteRecord } from './record.ts';

/** One page of a list that the contract does not have; undefined where the index does not list it, or it cannot be read. */
export async function recordsBeside(
  session: Session,
  route: string,
): Promise<readonly SiteRecord[] | undefined> {
  if (!session.index.routes.some(({ key }) => key === route)) return undefined;
  const query = [['per_page', String(MOST_PER_PAGE)]] as const;
  const answer = readList(await session.ask({ method: 'GET', route, query, as: session.caller }));
  return answer.kind === 'list' ? answer.records : undefined;
}
