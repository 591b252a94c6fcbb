import { Journal, readJournal } from '../../../client/journal.ts';
import type { Method } from '../../../client/observation.ts';
import { PriorRecords } from '../../../client/ownership.ts';
import { type Check, type CheckSpec, check, checkId, type Found } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { fixture, type JournalPlace, type Session } from '../../../engine/session.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import type { Schema } from '../../../specs/schema.ts';
import { OwnRecords } from './own-records.ts';
import type { WritableField } from './writable-fields.ts';

const KNOWN = new WeakMap<JournalPlace, OwnRecords>();

/** The own records of a run, one set for each journal; undefined where the mode or missing credentials allow none. */
export function ownRecordsOf(session: Session): OwnRecords | undefined {
  const { journal } = session;
  if (journal === undefined) return undefined;
  const prior = (): PriorRecords => new PriorRecords(readJournal(journal.path).census);
  const known = KNOWN.get(journal) ?? OwnRecords.begin(session, new Journal(journal.path), journal, prior());
  KNOWN.set(journal, known);
  return known.seenBy(session);
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

interface OwnCheck extends Omit<CheckSpec, 'kind' | 'effect' | 'needsUser' | 'run'> {
  /** Default: `writes`. */
  readonly kind?: string;
  run(own: OwnRecords): Promise<Found>;
}

/** A check that writes own records: for mode write with credentials. What it throws as `Aborted` is its finding. */
export function ownCheck({ run, ...about }: OwnCheck): Check {
  return check({
    kind: 'writes',
    ...about,
    effect: 'writes',
    needsUser: true,
    async run(session) {
      const own = ownRecordsOf(session);
      return own === undefined ? inconclusive('no records of its own can be written') : run(own);
    },
  });
}

/** A check of a field that an operation writes (§2). @param words the end of its id */
export function fieldCheck(
  { operation, collection, name, parameter, schema, basis }: WritableField,
  words: readonly string[],
  { after = roots.readBack(collection, parameter), ...about }: Omit<OwnCheck, 'id' | 'on' | 'parameter'>,
): Check {
  return ownCheck({
    section: schema['x-section'] ?? '2',
    basis,
    ...about,
    after: [after, roots.accepted(operation.id, name), roots.named(schema)],
    id: checkId(operation.id, name, ...words),
    on: operation,
    parameter,
  });
}

/** A check of what becomes of records (§3), which holds where their list finds them. */
export function stateCheck(resource: Resource, { after = [], ...about }: OwnCheck): Check {
  return ownCheck({
    kind: 'states',
    section: '3',
    ...about,
    after: [roots.finding(resource), after],
  });
}

/** The methods that change a record, in the order in which sequences of updates use them. */
export const UPDATE_METHODS = ['POST', 'PUT', 'PATCH'] as const;

/** Those of them that an update has. */
export function updateMethodsOf({ methods }: Operation): readonly (typeof UPDATE_METHODS)[number][] {
  return UPDATE_METHODS.filter((method) => methods.includes(method));
}

/** The ids of the checks that those of written records depend on. */
export const roots = {
  /** The check that every other one of created records depends on. */
  creation(collection: string): string {
    return checkId(`${collection}.create`, 'record');
  },

  /** The check that those of the fields which a method changes depend on. */
  update(operation: string, method: Method): string {
    return checkId(operation, 'changes', method);
  },

  /** The check that an operation stores a field. @param by the method of an update, or the status that is stored */
  stored(operation: string, field: string, by?: string): string {
    return checkId(operation, field, 'stored', by);
  },

  /** The checks that a creation stores a field: each status has its own. */
  created({ collection, name, operation: { resource } }: WritableField): string[] {
    const values = name === 'status' ? (resource?.statuses?.kept ?? []) : [undefined];
    return values.map((value) => roots.stored(`${collection}.create`, name, value));
  },

  /** The checks that an operation accepts the words and dates of a field, without which it stores none. */
  accepted(operation: string, field: string): string[] {
    return ['enum', 'format'].map((kind) => checkId(operation, field, kind, 'accepted'));
  },

  /** The checks that hold where what a field names stays there while others are written. */
  named({ 'x-names': named }: Schema): string[] {
    return named === undefined ? [] : [checkId('states', named, 'untouched')];
  },

  /** The checks that hold where the list of a resource finds records of the run's own: it shows what it is asked for. */
  finding({ id: collection, operations: { list } }: Resource): string[] {
    const ofList = (...words: string[]): string => checkId(`${collection}.list`, ...words);
    const defaults = (list?.parameters ?? []).filter(({ schema }) => schema.default !== undefined);
    return [
      checkId('records', collection, 'id'),
      ofList('include', 'filters'),
      ofList('search', 'filters'),
      ofList('status', 'filters', 'beside'),
      ...defaults.map(({ name }) => ofList(name, 'default', 'applied')),
    ];
  },

  /** The checks that hold where writes of one record leave the others of its collection alone: of all writes, and of updates. */
  untouched({ id, operations: { update } }: Resource): [string, ...string[]] {
    const ofUpdates = update === undefined ? [] : [checkId(update.id, 'alone', 'others')];
    return [checkId('states', id, 'untouched'), ...ofUpdates];
  },

  /** The checks that hold where records show a field as what it is, so that it can be read back. */
  readBack(collection: string, parameter: string): string[] {
    return [checkId('records', collection, 'types', parameter), ...roots.shownRaw(collection, parameter)];
  },

  /** The checks that hold where the edit context shows the text of a field, in lists too: those of records of all kinds. */
  shownRaw(collection: string, parameter: string): string[] {
    return ['read', 'list'].map((role) => checkId(`${collection}.${role}`, 'contexts', `${parameter}.raw`));
  },
};
