import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Method, Observation, RequestSpec } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { Check, CheckSpec, Finding, Found } from '../../../engine/check.ts';
import { check, checkId } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { Aborted, failure, inconclusive } from '../../../engine/findings.ts';
import type { Caller, Session } from '../../../engine/session.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { findResource, operationFor } from '../../../specs/find-resource.ts';
import type { Context, Operation, Resource } from '../../../specs/model.ts';
import { askFitted, MOST_PER_PAGE } from '../reading/list-request.ts';
import { newDraft } from './drafts.ts';
import type { FileKind } from './file-bytes.ts';
import { ownRecordsOf } from './own-fixture.ts';
import type { NotCreated, OwnRecord, OwnRecords } from './own-records.ts';
import { readUnasked } from './read-in-edit.ts';
import { bodyOf, creationFields, notAccepted } from './writable-fields.ts';

/** A check before it knows how checks of own records are run. */
interface OwnCheck extends Omit<CheckSpec, 'effect' | 'mode' | 'needsUser' | 'run'> {
  run(own: OwnRecords): Promise<Found>;
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
      return own === undefined ? inconclusive('no records of its own can be written') : run(own);
    },
  });
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

/** The methods that change a record, in the order in which sequences of updates use them. */
export const UPDATE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];

/** Those of them that an update has. */
export function updateMethodsOf({ methods }: Operation): readonly Method[] {
  return UPDATE_METHODS.filter((method) => methods.includes(method));
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

/** A creation, and what was read back of it. */
export class Making {
  readonly creation: OwnRecord | NotCreated;
  /** The values that were written, by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;

  constructor(creation: OwnRecord | NotCreated, written: ReadonlyMap<string, unknown> = new Map()) {
    this.creation = creation;
    this.written = written;
  }

  /** The record; undefined when none is known. */
  get record(): OwnRecord | undefined {
    return 'refused' in this.creation ? undefined : this.creation;
  }

  get read(): Observation | undefined {
    return this.record?.read;
  }

  /** The record as the edit context shows it; undefined when it could not be read. */
  get shown(): JsonObject | undefined {
    return this.read && shownBy(this.read).shown;
  }

  /** The line for a shell that repeats the creation. */
  get curl(): string {
    return 'refused' in this.creation ? this.creation.refused.curl : this.creation.created.curl;
  }

  /** That line, and the one that reads the record back. */
  get curls(): string[] {
    return [this.curl, ...(this.read === undefined ? [] : [this.read.curl])];
  }

  /** Why a valid creation led to no record; undefined if it did. @param what the creation, for a reader */
  problem(what: string): Finding | undefined {
    if (!('refused' in this.creation)) return undefined;
    const { refused, finding } = this.creation;
    if (finding !== undefined) return finding;
    if (refused.answer !== 'accepted') return notAccepted(what, refused);
    return failure(
      `${what} is answered with success, but the answer holds no record: nothing names what was made`,
      {
        expected: 'the record, with an integer id',
        observed: refused.problem ?? refused.text.slice(0, 200),
        reproduce: [refused.curl],
      },
    );
  }

  /** The record of a valid creation. @throws Aborted with what kept it from being made */
  recordOrAbort(what: string): OwnRecord {
    if (this.record !== undefined) return this.record;
    throw new Aborted(this.problem(what) ?? inconclusive(what));
  }
}

/** What a record is made of: its collection, the values of its fields by their names, and for an upload the file. */
interface Ingredients {
  readonly collection: Collection;
  readonly written?: ReadonlyMap<string, unknown>;
  /** A picture unless given. */
  readonly file?: FileKind | undefined;
}

/** Creates an own record and reads it back; where no values are named, any new one will do. */
export async function makeRecord(
  own: OwnRecords,
  { collection, written, file }: Ingredients,
): Promise<Making> {
  const fields = creationFields(own.session.contract, collection);
  const creation =
    written === undefined
      ? await newRecord(own, collection, file)
      : await createWith(own, collection, bodyOf(fields, written), file);
  return new Making(creation, written);
}

/** A new own record with nothing but text, for whoever does not look at its creation; see `newDraft`. */
export function newRecord(
  own: OwnRecords,
  collection: Collection,
  file?: FileKind,
): Promise<OwnRecord | NotCreated> {
  return isUploaded(own.session, collection) ? own.upload(collection, {}, file) : newDraft(own, collection);
}

/** Creates an own record with a body as the interface takes it; an upload takes a file. */
export function createWith(
  own: OwnRecords,
  collection: Collection,
  body: Readonly<Record<string, unknown>>,
  file: FileKind = 'picture',
): Promise<OwnRecord | NotCreated> {
  return isUploaded(own.session, collection)
    ? own.upload(collection, body, file)
    : own.create(collection, body);
}

/** Whether records of a collection are made of files. */
export function isUploaded({ contract }: Session, collection: Collection): boolean {
  return findResource(contract, collection)?.kind === 'uploads';
}

/** Reads an own record in the edit context. */
export async function readBack(
  own: OwnRecords,
  record: OwnRecord,
): Promise<{ readonly read: Observation; readonly shown: JsonObject | undefined }> {
  return shownBy(await own.read(record));
}

/** Reads an own record after a change. If nothing changed, it asks past what may answer from memory. */
export async function readAfter(
  own: OwnRecords,
  record: OwnRecord,
  before: JsonObject | undefined,
): Promise<{ readonly read: Observation; readonly shown: JsonObject | undefined }> {
  const back = await readBack(own, record);
  if (before === undefined || back.shown === undefined || !sameMeaning(back.shown, before)) return back;
  const route = own.route(record.collection) ?? '';
  const fresh = await readUnasked(own.session, { ...record, route }, before);
  return fresh === undefined ? back : shownBy(fresh);
}

/** The record in the answer to a read. */
export function shownBy(read: Observation): {
  readonly read: Observation;
  readonly shown: JsonObject | undefined;
} {
  return { read, shown: read.answer === 'accepted' && isObject(read.json) ? read.json : undefined };
}

/** Sites need not accept every type of file. */
export const NO_SOUND: Finding = inconclusive(
  'the site takes no sound, which could have a picture of its own',
);

/** Which of the own records a list shows. */
export interface OwnList {
  readonly observation: Observation;
  /** The ids of what it shows; undefined where it shows no list. */
  readonly ids: readonly number[] | undefined;
  readonly items: readonly unknown[];
  /** Statuses that were asked for, and that the list refuses alone too: it was asked for the others. */
  readonly lacking: readonly string[];
}

/**
 * Asks for a list of certain own records, fresh. @param ids the only ones that it may show
 * @param options.statuses the statuses to filter by; the default of the list without
 * @param options.beside further arguments, which the list does not know
 */
export async function listOwn(
  session: Session,
  collection: Collection,
  as: Caller,
  ids: readonly number[],
  options: {
    statuses?: readonly string[];
    context?: Context;
    beside?: readonly Pair[];
  } = {},
): Promise<OwnList> {
  const { statuses = [], context = 'view', beside = [] } = options;
  const route = operationFor(session.contract, collection, 'list')?.route.wire ?? '';
  const spec: RequestSpec = {
    method: 'GET',
    route,
    query: [
      ['include', ids.join(',')],
      ['context', context],
      ['per_page', String(MOST_PER_PAGE)],
      ...(statuses.length === 0 ? [] : ([['status', statuses.join(',')]] as const)),
      ...beside,
    ],
    as,
  };
  // What the usual context shows is the same where it is not named.
  const dispensable = context === 'view' ? ['per_page', 'context'] : ['per_page'];
  const { observation } = await askFitted(session.client, spec, { dispensable });
  if (observation.answer === 'refused') {
    const asked = statuses.map((status) => ['status', status] as const);
    const lacking = (await refusedAlone(session, { route, as }, asked)).map(([, status]) => status);
    const others = statuses.filter((status) => !lacking.includes(status));
    if (lacking.length > 0 && others.length > 0) {
      return { ...(await listOwn(session, collection, as, ids, { ...options, statuses: others })), lacking };
    }
    if (lacking.length > 0) return { observation, items: [], ids: undefined, lacking };
  }
  const items: readonly unknown[] = Array.isArray(observation.json) ? observation.json : [];
  const shown = items.map((item) => member(item, 'id')).filter((id) => typeof id === 'number');
  const isList = observation.answer === 'accepted' && Array.isArray(observation.json);
  return { observation, items, ids: isList ? shown : undefined, lacking: [] };
}

/** Which arguments a list refuses when asked with one of them alone. Remembered for the run. */
export async function refusedAlone(
  session: Session,
  list: { readonly route: string; readonly as: Caller },
  args: readonly Pair[],
): Promise<readonly Pair[]> {
  const refused: Pair[] = [];
  for (const pair of args) {
    const answer = await session.ask({ ...list, method: 'GET', query: [pair] });
    if (answer.answer === 'refused') refused.push(pair);
  }
  return refused;
}
