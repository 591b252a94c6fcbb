import type { Finding } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import type { Subject } from '../records/reading/list-request.ts';
import { soleUserFinding } from '../records/reading/sole-user.ts';
import type { FilterEntry } from './filter-table.ts';

/**
 * Findings that could not tell, unless that is because the site has one user: then there is nothing to apply the check to.
 * @param way how the filter is asked for
 */
export async function unlessSole(
  session: Session,
  { route }: Subject,
  { takesUsers }: FilterEntry,
  way: FilterEntry['takesUsers'],
  findings: readonly Finding[],
): Promise<Finding[]> {
  const isUntold = takesUsers === way && findings.some(({ kind }) => kind === 'inconclusive');
  const sole = isUntold ? await soleUserFinding(session, route) : undefined;
  return sole === undefined ? [...findings] : [sole];
}
