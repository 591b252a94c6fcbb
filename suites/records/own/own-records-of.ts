import { Journal, readJournal } from '../../../client/journal.ts';
import { PriorRecords } from '../../../client/prior-records.ts';
import type { Session } from '../../../engine/session.ts';
import { OwnRecords } from './own-records.ts';

const KNOWN = new WeakMap<Session, OwnRecords>();

/**
 * The own records of a run, one set for each session; undefined where the mode or missing credentials allow none.
 * @throws Error when the journal cannot be read
 */
export function ownRecordsOf(session: Session): OwnRecords | undefined {
  const { journal } = session;
  if (journal === undefined) return undefined;
  const known = KNOWN.get(session);
  if (known !== undefined) return known;
  const prior = new PriorRecords(readJournal(journal.path).census);
  const own = new OwnRecords(session, new Journal(journal.path), journal.tag, prior);
  KNOWN.set(session, own);
  return own;
}
