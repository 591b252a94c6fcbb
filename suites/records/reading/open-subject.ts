import type { Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import { findParent } from './find-parent.ts';
import type { Subject } from './list-request.ts';
import { openList } from './open-list.ts';

/**
 * The list of an operation as this run can see it best. The list of revisions is the one of a record that has two at
 * least.
 * @returns why there is no list to look at otherwise
 */
export async function openSubject(
  session: Session,
  operation: Operation,
): Promise<Subject | { readonly reason: string }> {
  if (operation.resource?.kind !== 'revisions') return openList(session, operation, operation.route.wire);
  const found = await findParent(session, operation, 2);
  return 'reason' in found ? found : openList(session, operation, found.route);
}
