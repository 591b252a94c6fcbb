import type { Operation } from '../../specs/model.ts';
import type { Session } from '../session.ts';
import { listRequest, type Subject } from './list-request.ts';
import { readList } from './read-list.ts';
import { hint, TOTAL } from './snapshot.ts';

/**
 * A list in the edit context for a user who may edit its records, in view otherwise: real software leaves out of edit
 * what the user may not edit.
 * @param route with its captures filled
 */
export function openList(session: Session, operation: Operation, route: string): Promise<Subject> {
  return session.once(`open ${route}`, async () => {
    const edit: Subject = { operation, route, as: session.caller, context: 'edit' };
    if (session.caller === 'anonymous') return { ...edit, context: 'view' };
    const observation = await session.ask(listRequest(edit));
    const answer = readList(observation);
    const hides = answer.kind === 'list' && answer.items.length < 2 && (hint(observation, TOTAL) ?? 0) > 1;
    return answer.kind === 'denied' || hides ? { ...edit, context: 'view' } : edit;
  });
}
