import { member } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failureBy, inconclusive, list, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { changedFields, isUploaded, makeRecord, readBack } from '../../../probing/records/own/make-record.ts';
import {
  contradicts,
  differs,
  must,
  type OwnRecord,
  recordOrAbort,
  withoutSlug,
} from '../../../probing/records/own/outcome.ts';
import {
  ownCheck,
  ownFixture,
  roots,
  UPDATE_METHODS,
  updateMethodsOf,
} from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  invalidMemberOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { onceCheck } from '../states/once-checks.ts';
import { type UpdateStep, updatedAlone } from './evaluate-stored.ts';
import { fieldValue, ROUNDS } from './field-values.ts';
import { changedIn, LONE, loneUpdatesOf } from './lone-updates.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf, sharedRecord } from './shared-records.ts';
import { updatesOf } from './update-steps.ts';

/** Checks that creations and updates by each method do what they say, and nothing else. */
export function changeChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) => [recordCheck(about), onceCheck(about)]),
    ...collectionsWith(contract, 'update').flatMap((about) =>
      updateMethodsOf(about.operation).map((method) => changesCheck(about, method)),
    ),
  ];
}

function recordCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: roots.creation(collection),
    title: `${operation.id} makes a record that its id reads back`,
    on: operation,
    needs: [serves(operation, 'POST')],
    after: [checkId(`${collection}.read`, 'answers', 'user')],
    async run(own) {
      const plain = await sharedRecord(own, collection, 'plain');
      const content = isUploaded(own.session, collection) ? 'a picture' : 'plain text';
      must.create(`a creation in ${collection} with nothing but ${content}`, plain);
      return [];
    },
  });
}

const [FIRST] = UPDATE_METHODS;

function changesCheck({ collection, operation }: WritableCollection, method: Method): Check {
  const fields = writableFields(operation);
  return ownCheck({
    id: roots.update(operation.id, method),
    title: `${method} of ${operation.id} changes the record`,
    on: operation,
    needs: [serves(operation, method), roots.creation(collection)],
    // Software changes records with the same code, whatever the method.
    after: method === FIRST ? [] : [roots.update(operation.id, FIRST)],
    async run(own) {
      const steps = (await updatesOf(own, collection)).filter((step) => step.method === method);
      const found = answeredByOther(steps) ?? (await neededField(own, fields, steps));
      if (found !== undefined) return found;
      if (steps.some((step) => changesSomething(own.session, fields, step))) return [];
      const accepted = steps.find(isAccepted);
      return accepted === undefined
        ? refusedThroughout(own, collection, fields, method, steps)
        : nothingChanged(method, accepted);
    },
  });
}

const isAccepted = ({ answer }: UpdateStep): boolean => answer.answer === 'accepted';

function answeredByOther(steps: readonly UpdateStep[]): Finding | undefined {
  for (const { method, id, answer } of steps.filter(isAccepted)) {
    const answered = member(answer.json, 'id');
    if (typeof answered !== 'number' || answered === id) continue;
    const message = `${method} of a record is answered with another record`;
    return contradicts(message, `id ${id}`, `id ${answered}`, answer);
  }
  return undefined;
}

/** What comes of one field alone: a request with many may be refused because of one. */
async function refusedThroughout(
  own: OwnRecords,
  collection: Collection,
  fields: readonly WritableField[],
  method: Method,
  steps: readonly UpdateStep[],
): Promise<Found> {
  const field = fields.find(({ name }) => name === 'title') ?? fields[0];
  if (field === undefined) return inconclusive('there is no field to write');
  const known = fieldValue(field, await fieldSourcesOf(own, collection), ROUNDS.first);
  if (isFinding(known)) return known;
  const alone = await updatedAlone({ own, field, value: known.value }, method);
  const again = steps.find(({ answer, written }) => answer.answer === 'refused' && written.size === 1);
  if (alone.length > 0 || again === undefined) return alone;
  const message = `${method} of a record that was updated before is refused`;
  return failureBy(message, 'accepted, as of a record that was not', again.answer);
}

/** The failure of a method that is refused wherever it lacks one field, which the first method does not require. */
async function neededField(
  own: OwnRecords,
  fields: readonly WritableField[],
  steps: readonly UpdateStep[],
): Promise<Finding | undefined> {
  const accepted = steps.filter(isAccepted);
  const refused = steps.filter(({ answer }) => answer.answer === 'refused');
  const [step] = refused;
  const demanded = fields.find(
    ({ name }) =>
      accepted.every(({ written }) => written.has(name)) && !refused.some(({ written }) => written.has(name)),
  );
  if (accepted.length === 0 || step === undefined || demanded === undefined || step.method === FIRST)
    return undefined;
  let finding: Finding | undefined;
  // One of the values may be refused in any case, two seldom are.
  for (const field of fields.filter(({ name }) => step.written.has(name)).slice(0, 2)) {
    const alone = { own, field, value: step.written.get(field.name) };
    const found = await orFinding(updatedAlone(alone, step.method));
    const control = await orFinding(updatedAlone(alone, FIRST));
    if (!isFinding(found) || found.kind !== 'failure') return undefined;
    if (isFinding(control) || control.length > 0) return undefined;
    finding = found;
  }
  return finding && { ...finding, message: `${step.method} is refused unless it names ${demanded.label}` };
}

function changesSomething(
  session: Session,
  fields: readonly WritableField[],
  { written, before, shown }: UpdateStep,
): boolean {
  return fields.some((field) => {
    const isIn = (record: unknown): boolean => isStored(session, field, written.get(field.name), record);
    return written.has(field.name) && isIn(shown) && !isIn(before);
  });
}

function nothingChanged(method: Method, { answer, read, written }: UpdateStep): Found {
  if (read !== undefined) must.accept(`reading a record after ${method}`, read);
  const message = `${method} is answered with success, but changes nothing`;
  const expected = `new values of ${[...written.keys()].join(', ')}`;
  return contradicts(message, expected, 'the record as it was before', answer, read);
}

/**
 * Checks that updates change only what they name, or nothing if refused, and that creations take nothing from others.
 */
export function aloneChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').map(takesNothingCheck),
    ...collectionsWith(contract, 'update').flatMap((about) => [
      ...updateMethodsOf(about.operation).map((method) => aloneCheck(about, method)),
      ...refusedAloneCheck(about),
    ]),
  ];
}

/** Fields that differ between equal creations. */
const OF_EACH: ReadonlySet<string> = new Set(['id', 'slug', 'date', 'date_gmt']);

/** The check that a creation without a field is the same before and after one with it: nothing stays between requests. */
function takesNothingCheck({ collection, resource, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'alone'),
    title: `${operation.id} takes nothing from the records that were created before`,
    section: '2',
    on: operation,
    needs: [roots.creation(collection)],
    after: [checkId(operation.id, 'once'), roots.untouched(resource)],
    async run(own) {
      const creation = await sharedRecord(own, collection, 'plain');
      const later = must.create('a second creation', await laterRecord(own, collection));
      const plain = recordOrAbort(creation, 'an own record cannot be read in the edit context');
      const [first, ...names] = takenOver(own, plain, later);
      if (first === undefined) return [];
      // A plugin may give each record another value; what is taken over stays, or was written by this run.
      const another = await makeRecord(own, { collection, written: new Map() });
      const again = takenOver(own, plain, must.create('a second creation', another));
      const written = await writtenBefore(own, operation, later.shown);
      const [name] = [first, ...names].filter(
        ({ field, after }) =>
          written.has(field) || again.some((one) => one.field === field && sameMeaning(one.after, after)),
      );
      if (name === undefined) return inconclusive(`${first.field} differs between equal creations by itself`);
      const message = `a creation without ${name.field} takes it from an earlier one`;
      return differs(message, name.before, name.after, plain.created, name.created);
    },
  });
}

const BEFORE = ['main', 'beside'] as const;

/** A record that is created like the first one of its collection, after those with all fields. */
const laterRecord = ownFixture('own record after others', async (own, collection: Collection) => {
  for (const group of BEFORE) await sharedRecord(own, collection, group);
  return makeRecord(own, { collection, written: new Map() });
});

/** The fields that a record shows as an earlier creation with all fields wrote them. */
async function writtenBefore(own: OwnRecords, operation: Operation, shown: unknown): Promise<Set<string>> {
  const { id = '' } = operation.resource ?? {};
  const creations = await Promise.all(BEFORE.map((group) => sharedRecord(own, id, group)));
  const isWritten = (field: WritableField): boolean =>
    creations.some(
      ({ written }) =>
        written.has(field.name) && isStored(own.session, field, written.get(field.name), shown),
    );
  return new Set(
    writableFields(operation)
      .filter(isWritten)
      .map(({ parameter }) => parameter),
  );
}

/** The fields in which two equal creations differ, but for the words of each. */
function takenOver(own: OwnRecords, plain: OwnRecord, later: OwnRecord) {
  const [before, after] = [plain, later].map(({ shown, slug }): unknown =>
    JSON.parse(withoutSlug(JSON.stringify(shown), slug)),
  );
  const { created } = later;
  return changedFields(own, later, before, after)
    .filter((field) => !OF_EACH.has(field))
    .map((field) => ({ field, before: member(before, field), after: member(after, field), created }));
}

/** The check that software validates a whole update before it stores a part of it. */
function refusedAloneCheck({ collection, resource, operation }: WritableCollection): Check[] {
  const fields = writableFields(operation);
  const title = fields.find(({ name }) => name === 'title');
  const invalid = invalidMemberOf(operation);
  if (title === undefined || invalid === undefined) return [];
  const { field, value } = invalid;
  return [
    ownCheck({
      id: checkId(operation.id, 'alone', 'refused'),
      title: `${operation.id} leaves all fields alone if it is refused`,
      section: '2',
      on: operation,
      needs: [roots.update(operation.id, LONE)],
      after: roots.untouched(resource),
      async run(own) {
        const record = must.create(`a creation in ${collection}`, await laterRecord(own, collection));
        const values = new Map([
          [title.name, `${record.slug} refused`],
          [field.name, value],
        ] as const);
        const update = await own.update(record, bodyOf([title, field], values), LONE);
        must.refuse(operation, field, update);
        const { read, shown } = await readBack(own, record);
        if (shown === undefined) return inconclusive('the record cannot be read in the edit context');
        const [changed] = changedIn(fields, { written: new Map(), before: record.shown, shown });
        if (changed === undefined) return [];
        const [before, after] = [record.shown, shown].map((one) => shownValue(one, changed));
        return differs(`an update that is refused changes ${changed.label}`, before, after, update, read);
      },
    }),
  ];
}

function aloneCheck({ collection, resource, operation }: WritableCollection, method: Method): Check {
  const fields = writableFields(operation);
  return ownCheck({
    id: checkId(operation.id, 'alone', method),
    title: `${method} of ${operation.id} leaves the fields alone that it does not name`,
    section: '2',
    on: operation,
    needs: [roots.update(operation.id, method)],
    // What changes by itself seldom depends on the method.
    after: [
      method !== LONE && checkId(operation.id, 'alone', LONE),
      roots.untouched(resource),
      fields.flatMap(({ schema, parameter }) => [
        ...roots.named(schema),
        ...roots.shownRaw(collection, parameter),
      ]),
    ],
    async run(own) {
      const updates = await updatesOf(own, collection);
      const lone = method === LONE ? (await loneUpdatesOf(own, operation)).steps : [];
      const steps = [...withKnownPast(updates), ...lone].filter(
        ({ before, shown, ...step }) => step.method === method && before !== undefined && shown !== undefined,
      );
      if (steps.length === 0) {
        return inconclusive(`no ${method} of several fields was accepted and read back`);
      }
      return steps.flatMap((step) => evaluateAlone(fields, step)).slice(0, 1);
    },
  });
}

/** The updates of records whose state is known before: what fails, or cannot be read back, may have been carried out. */
function withKnownPast(updates: readonly UpdateStep[]): UpdateStep[] {
  const unknown = new Set<number>();
  return updates.filter(({ id, answer, shown }) => {
    const isKnown = !unknown.has(id);
    if (shown !== undefined) unknown.delete(id);
    else if (answer.answer === 'accepted' || answer.answer === 'broken') unknown.add(id);
    return isKnown;
  });
}

function evaluateAlone(fields: readonly WritableField[], step: UpdateStep): Finding[] {
  const { method, written, before, shown, answer, read } = step;
  const changed = changedIn(fields, step);
  const [first] = changed;
  if (first === undefined) return [];
  const names = changed.map(({ label }) => label).join(', ');
  const message = `${method} changes ${names} without naming ${changed.length === 1 ? 'it' : 'them'}`;
  const expected = `${first.label} as before: ${show(shownValue(before, first))}`;
  const observed = `${show(shownValue(shown, first))} after an update of ${list([...written.keys()])}`;
  return [contradicts(message, expected, observed, answer, read)];
}
