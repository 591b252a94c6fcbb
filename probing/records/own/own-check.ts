import { Journal, readJournal } from '../../../client/journal.ts';
import type { Method } from '../../../client/observation.ts';
import { PriorRecords } from '../../../client/ownership.ts';
import { type Check, type CheckSpec, check, checkId, type Found } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { JournalPlace, Session } from '../../../engine/session.ts';
import type { Resource } from '../../../specs/model.ts';
import { OwnRecords } from './own-records.ts';

/** A check before it knows how checks of own records are run. */
interface OwnCheck extends Omit<CheckSpec, 'effect' | 'mode' | 'needsUser' | 'run'> {
  run(session: Session, own: OwnRecords): Promise<Found>;
}

/** A check that writes own records: for mode write with credentials. What it throws as `Aborted` is its finding. */
export function ownCheck({ run, ...about }: OwnCheck): Check {
  return check({
    ...about,
    effect: 'writes',
    mode: 'write',
    needsUser: true,
    async run(session) {
      const own = ownRecordsOf(session);
      return own === undefined ? inconclusive('no records of its own can be written') : run(session, own);
    },
  });
}

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

/** Parameters of lists by which checks find records of the run's own. */
const FINDING = [
  ['include', 'filters'],
  ['search', 'filters'],
  ['status', 'filters', 'beside'],
];

/** The check that every other one of created records depends on. */
export function creationRoot(collection: string): string {
  return checkId(`${collection}.create`, 'record');
}

/** The check that those of the fields which a method changes depend on. */
export function updateRoot(operation: string, method: Method): string {
  return checkId(operation, 'changes', method);
}

/** The checks that hold where the list of a resource finds records of the run's own: it shows what it is asked for. */
export function findingRoots({ id: collection, operations: { list } }: Resource): string[] {
  const ofList = `${collection}.list`;
  const defaults = (list?.parameters ?? []).filter(({ schema }) => schema.default !== undefined);
  return [
    checkId('records', collection, 'id'),
    ...FINDING.map((parts) => checkId(ofList, ...parts)),
    ...defaults.map(({ name }) => checkId(ofList, name, 'default', 'applied')),
  ];
}

/** The checks that hold where records show a field as what it is, so that it can be read back. */
export function readBackRoots(collection: string, parameter: string): string[] {
  return [
    checkId('records', collection, 'types', parameter),
    checkId(`${collection}.read`, 'contexts', `${parameter}.raw`),
  ];
}
