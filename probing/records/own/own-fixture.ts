import { Journal, readJournal } from '../../../client/journal.ts';
import { PriorRecords } from '../../../client/ownership.ts';
import { fixture, type JournalPlace, type Session } from '../../../engine/session.ts';
import { OwnRecords } from './own-records.ts';

const KNOWN = new WeakMap<JournalPlace, OwnRecords>();

/** The own records of a run, one set for each journal; undefined where the mode or missing credentials allow none. */
export function ownRecordsOf(session: Session): OwnRecords | undefined {
  const { journal } = session;
  if (journal === undefined) return undefined;
  const known = KNOWN.get(journal) ?? beginIn(session, journal);
  KNOWN.set(journal, known);
  return known.seenBy(session);
}

function beginIn(session: Session, journal: JournalPlace): OwnRecords {
  const prior = new PriorRecords(readJournal(journal.path).census);
  return OwnRecords.begin(session, new Journal(journal.path), journal, prior);
}

/** Something that is made of own records once in a run, for all checks that need it. */
export type OwnFixture<T, Subject extends readonly unknown[] = []> = (
  own: OwnRecords,
  ...subject: Subject
) => Promise<T>;

/** A `fixture` that is made of own records, and of what else it is about. */
export function ownFixture<T, Subject extends readonly unknown[] = []>(
  name: string,
  make: (own: OwnRecords, ...subject: Subject) => Promise<T>,
  by: (...subject: Subject) => readonly unknown[] = (...subject) => subject,
): OwnFixture<T, Subject> {
  const made = fixture<T, [OwnRecords, ...Subject]>(
    name,
    (_, own, ...subject) => make(own, ...subject),
    (_, ...subject) => by(...subject),
  );
  return (own, ...subject) => made(own.session, own, ...subject);
}
