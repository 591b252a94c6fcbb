import { TargetError } from '../../../client/target-error.ts';
import { Aborted } from '../../../engine/aborted.ts';
import type { Session } from '../../../engine/session.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import { isUploaded } from './make-record.ts';
import { ownRecordsOf } from './own-fixture.ts';

/** So few records can be removed by hand. */
const FEW = 80;

/**
 * Creates and deletes a record in each collection in which the run may create many. Where the deletion is denied, nothing
 * more is created: it would stay.
 */
export async function tryDeletions(session: Session): Promise<void> {
  const own = ownRecordsOf(session);
  const { most = {} } = session.journal ?? {};
  if (own === undefined) return;
  const tried = describedCollections(session.contract).filter(({ id }) => (most[id] ?? 0) > FEW);
  const trials = tried.map(async ({ id }) => {
    const made = isUploaded(session, id) ? await own.upload(id) : await own.create(id);
    if ('id' in made) await own.remove(made, true);
  });
  for (const trial of await Promise.allSettled(trials)) {
    const isOurs = trial.status === 'rejected' && !isOfTarget(trial.reason);
    if (isOurs) throw trial.reason;
  }
}

/** Whether the checks find the same, and report it. */
function isOfTarget(error: unknown): boolean {
  return error instanceof TargetError || error instanceof Aborted;
}
