import { Journal, readJournal } from '../../../client/journal.ts';
import { PriorRecords } from '../../../client/ownership.ts';
import type { JournalPlace, Session } from '../../../engine/session.ts';
import { OwnRecords } from './own-records.ts';

const KNOWN = new WeakMap<JournalPlace, OwnRecords>();

/**
 * The own records of a run, one set for each journal, whichever view of the session a check has; undefined where the mode or missing credentials allow none.
 * @throws Error when the journal cannot be read
 */
export function ownRecordsOf(session: Session): OwnRecords | undefined {
  const { journal } = session;
  if (journal === undefined) return undefined;
  const known = KNOWN.get(journal);
  if (known !== undefined) return known;
  const prior = new PriorRecords(readJournal(journal.path).census);
  const own = new OwnRecords(session, new Journal(journal.path), journal, prior);
  KNOWN.set(journal, own);
  return own;
}
