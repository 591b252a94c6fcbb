import { TargetError } from '../../../client/target-error.ts';
import { Aborted } from '../../../engine/aborted.ts';
import type { Session } from '../../../engine/session.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import { createWith } from './make-record.ts';
import { ownRecordsOf } from './own-check.ts';

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
    const made = await createWith(own, id, {});
    if ('id' in made) await own.remove(made, true);
  });
  for (const trial of await Promise.allSettled(trials)) {
    if (trial.status === 'fulfilled') continue;
    // What comes of the target the checks find too, and report it.
    if (!(trial.reason instanceof TargetError || trial.reason instanceof Aborted)) throw trial.reason;
  }
}
