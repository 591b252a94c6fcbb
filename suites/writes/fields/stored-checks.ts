import type { JsonObject } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import { Aborted, isFinding, orFinding } from '../../../engine/aborted.ts';
import { reportOnce } from '../../../engine/alike.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { hasFailure, inconclusive, notApplicable, reportedBy, show } from '../../../engine/findings.ts';
import { present } from '../../../engine/text.ts';
import { makeRecord, NO_SOUND, type Write, writeFields } from '../../../probing/records/own/make-record.ts';
import { differs, must, recordOrAbort } from '../../../probing/records/own/outcome.ts';
import type { OwnFixture } from '../../../probing/records/own/own-check.ts';
import { fieldCheck, ownFixture, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  shownValue,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import type { UpdateStep } from './evaluate-stored.ts';
import { createdFound, evaluateStored, lostIn, noValue, updatedAlone } from './evaluate-stored.ts';
import { fieldValue, isLongest, ROUNDS } from './field-values.ts';
import { loneUpdatesOf } from './lone-updates.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf, fileOf, groupOf } from './shared-records.ts';
import {
  emptyOf,
  isLong,
  memberStepsOf,
  unsetOf,
  unsettable,
  updateGroupOf,
  updatesOf,
} from './update-steps.ts';

/** Checks that written values read back in the edit context (R35), members of enums and empty values too. */
export function storedChecks(contract: Contract): Check[] {
  const updates = collectionsWith(contract, 'update');
  return [
    ...collectionsWith(contract, 'create').flatMap(({ operation }) => {
      // Each status has its own check.
      const fields = writableFields(operation).filter(({ name }) => name !== 'status');
      return onceForAll(fields, createdCheck);
    }),
    ...updates.flatMap(({ operation }) => [
      ...updateMethodsOf(operation).flatMap((method) =>
        onceForAll(writableFields(operation), (field) => updatedCheck(field, method)),
      ),
      ...writableFields(operation).flatMap((field) => [
        ...(field.schema.enum === undefined || field.name === 'status' ? [] : [membersCheck(field)]),
        ...(isLong(field) ? [longestCheck(field)] : []),
      ]),
    ]),
    ...updates.flatMap(({ operation }) => unsettable(operation).map(unsetCheck)),
  ];
}

/** Fields of plain text, besides those with the member `raw`. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(['password', 'alt_text']);

/**
 * The groups of a check that a field is stored: of all texts, which a database stores alike, of those that have a raw
 * one, and of all writes of it.
 */
function storedGroups(field: WritableField): Pick<Check, 'groups' | 'byChance'> {
  const { name, operation } = field;
  const isProse = isText(field) || PLAIN_TEXTS.has(name);
  const ofName = `stored ${name}`;
  const groups = present([
    isProse && ['stored texts', `${operation.id} stored texts`],
    isText(field) && 'stored raw texts',
    ofName,
  ]);
  return isTelling(field) ? { groups } : { groups, byChance: [ofName] };
}

/** Whether a stored value proves something: one of few values may be there by chance. */
function isTelling({ schema }: WritableField): boolean {
  return schema.enum === undefined && schema.type !== 'boolean';
}

/** Checks of fields. If none is taken but the title, they are one failure. */
export function onceForAll(fields: readonly WritableField[], make: (field: WritableField) => Check): Check[] {
  const telling = fields.filter((one) => one.name !== 'title' && isTelling(one));
  const others = fields.filter((one) => !telling.includes(one));
  return reportOnce(telling.map(make), others.map(make));
}

/** What a stored value depends on: a member of an enum, or a boolean, that is refused is not stored either. */
function rootsOf({ operation, name, key, schema, declared }: WritableField, root: string): string[] {
  // Which members of a status are accepted says little about which are kept.
  const isOfMembers = schema.enum !== undefined && name !== 'status';
  const isSwitch = schema.type === 'boolean' && key === undefined;
  const kind = isOfMembers ? 'enum' : isSwitch && 'type';
  return present([declared, root, kind && checkId(operation.id, name, kind, 'accepted')]);
}

function createdCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['stored'], {
    ...storedGroups(field),
    title: `${operation.id} stores ${field.label}`,
    needs: [serves(operation, 'POST'), rootsOf(field, roots.creation(collection))],
    run: (own) => createdFound(own, field),
  });
}

/** What an update or a form finds, or that a creation fails too, which a site seldom stores in another way. */
export async function unlessCreated(
  own: OwnRecords,
  { collection, name }: WritableField,
  found: Found,
): Promise<Found> {
  const created = own.fieldsOf(collection).find((one) => one.name === name);
  if (!hasFailure(found) || created === undefined) return found;
  const id = roots.stored(created.operation.id, name);
  return (await failsToo(own, id, () => createdFound(own, created))) ? reportedBy(id) : found;
}

/** Whether another check runs and fails. @param look makes its finding */
async function failsToo(own: OwnRecords, id: string, look: () => Promise<Found>): Promise<boolean> {
  return own.session.runs(id) && hasFailure(await orFinding(look()));
}

function updatedCheck(field: WritableField, method: Method): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['stored', method], {
    ...storedGroups(field),
    title: `${method} of ${operation.id} stores ${field.label}`,
    needs: rootsOf(field, roots.update(operation.id, method)),
    // A site that does not store a field by POST seldom does by another method.
    after: [
      roots.readBack(collection, field.parameter),
      field.name === 'status' && roots.created(field),
      method !== 'POST' && roots.stored(operation.id, field.name, 'POST'),
    ],
    run: async (own) => unlessCreated(own, field, await updatedFound(own, field, method)),
  });
}

/** The check that an update stores a field, if it fails; undefined otherwise. @param parameter the name of the field */
export async function lostAlone(
  own: OwnRecords,
  operation: Operation,
  parameter: string,
  method: Method,
): Promise<string | undefined> {
  const field = writableFields(operation).find((one) => one.parameter === parameter);
  if (field === undefined) return undefined;
  const id = roots.stored(operation.id, field.name, method);
  return (await failsToo(own, id, () => updatedFound(own, field, method))) ? id : undefined;
}

async function updatedFound(own: OwnRecords, field: WritableField, method: Method): Promise<Found> {
  const { collection } = field;
  const { set, unset } = await stepsOf(own, field, method);
  const [step] = [...set, ...unset];
  if (step === undefined) return noValue(own, field);
  const value = step.written.get(field.name);
  // The previous value of the record proves nothing, unless it is the only one known.
  const { plain } = await fieldSourcesOf(own, collection);
  const isIn = (record: unknown): boolean => isStored(own.session, field, value, record);
  const isProven = isIn(step.shown) && (!isIn(step.before) || isIn(plain));
  const alone = isProven ? [] : await updatedAlone({ own, field, value }, method);
  const [lost] = set.length === 0 ? [] : [...alone, ...lostIn(own.session, field, set)];
  if (lost !== undefined) return lost;
  const [kept] = [...alone, ...lostIn(own.session, field, unset)];
  return kept && ((await reportedByUnset(own, field)) ?? kept);
}

/** The updates by a method that set a field, and those that set it back. */
async function stepsOf(own: OwnRecords, field: WritableField, method: Method) {
  const updates = await updatesOf(own, field.collection, updateGroupOf(field));
  const isMeant = ({ written, ...one }: UpdateStep) =>
    one.method === method && written.has(field.name) && !isLongest(written.get(field.name));
  const isLone = method === 'POST' && groupOf(field) !== 'sound';
  const lone = isLone ? (await loneUpdatesOf(own, field.operation)).steps : [];
  const steps = [...updates, ...lone].filter(isMeant);
  const empty = emptyOf(field);
  const unset = steps.filter(({ written }) => empty !== undefined && isEmpty(written.get(field.name), empty));
  return { set: steps.filter((step) => !unset.includes(step)), unset };
}

function membersCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['members', 'stored'], {
    groups: storedGroups(field).groups,
    title: `${operation.id} stores each member of ${field.label}`,
    needs: rootsOf(field, roots.update(operation.id, 'POST')),
    async run(own) {
      const steps = [...(await updatesOf(own, collection)), ...(await memberStepsOf(own, operation))];
      const findings: Finding[] = [];
      for (const value of field.schema.enum ?? []) {
        const isIn = (record: unknown): boolean => isStored(own.session, field, value, record);
        const stored = steps.some(
          (one) => one.written.get(field.name) === value && isIn(one.shown) && !isIn(one.before),
        );
        const alone = stored ? [] : await orFinding(updatedAlone({ own, field, value }, 'POST'));
        findings.push(...[alone].flat());
      }
      return unlessCreated(own, field, findings);
    },
  });
}

function longestCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['longest', 'stored'], {
    title: `${operation.id} stores a long ${field.label} whole, or refuses it`,
    needs: [field.declared, roots.update(operation.id, 'POST')],
    after: [
      roots.readBack(collection, field.parameter),
      roots.created(field),
      roots.stored(operation.id, field.name, 'POST'),
    ],
    async run(own) {
      const steps = await updatesOf(own, collection, updateGroupOf(field));
      const last = steps.at(-1);
      const value = last?.written.get(field.name);
      if (last?.answer.answer === 'refused') return notApplicable(`so long a ${field.label} is refused`);
      if (last === undefined || typeof value !== 'string') return noValue(own, field);
      must.accept(`an update with ${field.label} of ${value.length} characters`, last.answer);
      if (last.shown === undefined) return inconclusive('the record could not be read again');
      return evaluateStored(own.session, field, last);
    },
  });
}

/** A field that is only empty on an own record that is created so. */
const TEXT = 'content';

function unsetCheck(field: WritableField): Check {
  const { collection, operation } = field;
  // A record without content needs its title.
  const titled = roots.stored(`${collection}.create`, 'title');
  return fieldCheck(field, ['unset'], {
    groups: field.key === undefined ? ['unset', `unset ${show(emptyOf(field))}`] : [],
    title: `${operation.id} sets ${field.label} back to ${show(emptyOf(field))}`,
    basis: 'implied',
    needs: [field.declared, roots.update(operation.id, 'POST')],
    after: [roots.readBack(collection, field.parameter), titled],
    async run(own) {
      const found = await unsetFound(own, field);
      // What is not set either is one cause.
      const id = roots.stored(operation.id, field.name, 'POST');
      if (!hasFailure(found) || !own.session.runs(id)) return found;
      const { set } = await stepsOf(own, field, 'POST');
      return lostIn(own.session, field, set).length > 0 ? reportedBy(id) : found;
    },
  });
}

const unsetFound: OwnFixture<Found, [field: WritableField]> = ownFixture(
  'own field set back',
  async (own, field) => {
    const tried = await triedOf(own, field);
    if (tried === undefined) return noValue(own, field);
    return (await isUnsetBesideOthers(own, tried)) ? [] : evaluateUnset(own, tried);
  },
  ({ operation, name }) => [operation, name],
);

/** The finding for an empty value that is not stored, if the check of setting the field back fails for it too. */
async function reportedByUnset(own: OwnRecords, field: WritableField): Promise<Finding | undefined> {
  const id = checkId(field.operation.id, field.name, 'unset');
  return (await failsToo(own, id, () => unsetFound(own, field))) ? reportedBy(id) : undefined;
}

type Tried = Readonly<{ field: WritableField; value: unknown; empty: unknown }>;

/** @returns undefined if no value but the empty one is known */
async function triedOf(own: OwnRecords, field: WritableField): Promise<Tried | undefined> {
  const empty = emptyOf(field);
  const sources = await fieldSourcesOf(own, field.collection);
  const rounds = [ROUNDS.first, ROUNDS.creation].map((round) => fieldValue(field, sources, round));
  const known = rounds.find((one) => isFinding(one) || !isEmpty(one.value, empty));
  return known !== undefined && !isFinding(known) ? { field, value: known.value, empty } : undefined;
}

/** Sets a field of a new record, and unsets it. @throws Aborted if it cannot be created */
async function unsetOn(own: OwnRecords, { field, ...values }: Tried) {
  const { collection } = field;
  const creation = await makeRecord(own, {
    collection,
    file: fileOf(groupOf(field)),
    ...(field.name === TEXT && { written: new Map([[TEXT, values.empty]]) }),
  });
  if (!('id' in creation) && groupOf(field) === 'sound') throw new Aborted(NO_SOUND);
  // A site may require a text, which is then never empty (R48).
  const record =
    field.name === TEXT
      ? recordOrAbort(creation, `no record of ${collection} is created with ${TEXT} ${show(values.empty)}`)
      : must.create(`a creation in ${collection}`, creation);
  const write = (which: 'value' | 'empty', before: JsonObject | undefined): Promise<Write> =>
    writeFields(own, record, [field], new Map([[field.name, values[which]]]), { before });
  const set = await write('value', record.shown);
  return { before: record.shown, set, unset: await write('empty', set.shown) };
}

/** Whether the record that was updated through all its fields shows a field empty after one update of them. */
async function isUnsetBesideOthers(own: OwnRecords, { field, empty }: Tried): Promise<boolean> {
  const step = await orFinding(unsetOf(own, field.operation, updateGroupOf(field)));
  if (isFinding(step)) return false;
  const [before, after] = [step.before, step.shown].map(
    (record) => record && isEmpty(shownValue(record, field), empty),
  );
  return before === false && after === true;
}

const MAIN_TEXTS: ReadonlySet<string> = new Set([TEXT, 'excerpt']);

/** Bodies that set fields, and set them back. */
export type SetAndUnset = Readonly<Record<'value' | 'empty', JsonObject>>;

/** What one record took together: values of fields, and their empty values. Its main texts are left out. */
export async function setAndUnset(own: OwnRecords, operation: Operation): Promise<SetAndUnset> {
  const tried: Tried[] = [];
  const some = unsettable(operation).filter((one) => !MAIN_TEXTS.has(one.name) && groupOf(one) === 'main');
  for (const field of some) {
    const one = await triedOf(own, field);
    if (one !== undefined && (await isUnsetBesideOthers(own, one))) tried.push(one);
  }
  const fields = tried.map(({ field }) => field);
  const bodyWith = (values: 'value' | 'empty'): JsonObject =>
    bodyOf(fields, new Map(tried.map((one) => [one.field.name, one[values]])));
  return { value: bodyWith('value'), empty: bodyWith('empty') };
}

async function evaluateUnset(own: OwnRecords, tried: Tried): Promise<Found> {
  const { field, empty } = tried;
  const { before, set, unset } = await unsetOn(own, tried);
  if (!isEmpty(shownValue(before, field), empty))
    return inconclusive(`${field.label} is not empty on a new record`);
  if (!isStored(own.session, field, tried.value, set.shown))
    return inconclusive(`${field.label} could not be set on a new record`);
  must.accept(`an update of ${field.operation.id} with ${field.label} ${show(empty)}`, unset.answer);
  must.accept(`reading a record of ${field.collection} after it`, unset.read ?? unset.answer);
  const [expected, observed] = [before, unset.shown].map((one) => shownValue(one, field));
  if (sameMeaning(observed, expected) || isEmpty(observed, empty)) return [];
  const message = `${field.label} was empty at first, is set, and cannot be set back`;
  return differs(message, expected, observed, set.answer, unset.answer, unset.read);
}

/** What is empty may be left out, and an id of nothing null. */
function isEmpty(shown: unknown, empty: unknown): boolean {
  return shown === undefined || sameMeaning(shown, empty) || (empty === 0 && shown === null);
}
