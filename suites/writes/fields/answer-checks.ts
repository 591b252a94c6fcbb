import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { type Check, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, explain, failureBy, hasFailure, inconclusive, show } from '../../../engine/findings.ts';
import type { Write } from '../../../probing/records/own/make-record.ts';
import { changedFields, newOne, readBack, writeOf } from '../../../probing/records/own/make-record.ts';
import { contradicts, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { evaluateFieldType } from '../../../probing/records/reading/field-type.ts';
import { contradictions, toRecords } from '../../../probing/records/reading/record.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { statusRecordsWith } from '../states/status-records.ts';
import { causeOf, reportedAsRemoved } from '../states/untouched-checks.ts';
import { isStored } from './same-as-written.ts';
import { sharedRecord } from './shared-records.ts';
import { updatesOf } from './update-steps.ts';

/** Checks that a write answers the record as read afterwards (R11), and that updates change no others. */
export function answerChecks(contract: Contract): Check[] {
  const creations = collectionsWith(contract, 'create');
  const updates = collectionsWith(contract, 'update');
  return [
    ...creations.map((about) => {
      const { collection } = about;
      return answerCheck(about, [roots.creation(collection)], (own) => creationsOf(own, collection));
    }),
    ...updates.map((about) => {
      const { collection, operation } = about;
      const needs = updateMethodsOf(operation).map((method) => roots.update(operation.id, method));
      return answerCheck(about, needs, (own) => updatesOf(own, collection));
    }),
    ...updates.flatMap((about) => [othersAloneCheck(about), ...repeatedWordsCheck(about)]),
    ...creations.map(writtenTypesCheck),
  ];
}

async function creationsOf(own: OwnRecords, collection: Collection): Promise<Write[]> {
  const full = await sharedRecord(own, collection, 'main');
  const others = await statusRecordsWith(own, collection);
  const made = others.map(({ record }) => writeOf(record, new Map()));
  return 'id' in full ? [writeOf(full, full.written), ...made] : made;
}

/** The check of types in new records: some of them have empty fields, or a status that the records of a site lack. */
function writtenTypesCheck({ collection, operation }: WritableCollection): Check {
  const fields = typedFields(operation);
  return ownCheck({
    id: checkId('records', collection, 'written', 'types'),
    title: `the fields of new ${collection} are of the stated types, whatever their status, and where they are empty`,
    section: '2',
    basis: 'stated',
    on: operation,
    needs: [roots.creation(collection)],
    after: [
      checkId('records', collection, 'every-answer', 'types'),
      fields.map(({ name }) => checkId('records', collection, 'types', name)),
    ],
    async run(own) {
      const groups = ['main', 'plain'] as const;
      const made = await Promise.all(groups.map((group) => sharedRecord(own, collection, group)));
      const others = await statusRecordsWith(own, collection);
      const records = [...made, ...others.map(({ record }) => record)].filter((one) => 'id' in one);
      if (records.length === 0) return inconclusive('no record was created');
      const looks = [...records, ...(await updatesOf(own, collection))].map(({ id, shown, read }) => ({
        records: shown ? [{ id, json: shown }] : [],
        curl: read?.curl ?? '',
      }));
      const found = looks.flatMap((look) => fields.flatMap((field) => evaluateFieldType(field, look)));
      return found.find(hasFailure);
    },
  });
}

function typedFields({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ in: place, schema }) => place !== 'path' && schema.type);
}

function typeFailure(field: Parameter, { json, curl }: Observation): Finding | undefined {
  return evaluateFieldType(field, { records: toRecords([json]), curl }).find(hasFailure);
}

/** The check that an update may write the words that a record has, as a client does that sends back what it read. */
function repeatedWordsCheck({ collection, operation }: WritableCollection): Check[] {
  const fields = writableFields(operation);
  const listed = fields.filter(({ schema }) => schema.enum !== undefined);
  const text = fields.findLast((one) => isText(one) && one.name !== 'title');
  if (listed.length === 0) return [];
  return [
    ownCheck({
      id: checkId(operation.id, 'again'),
      title: `${operation.id} takes words that the record has already`,
      section: '2',
      on: operation,
      needs: [roots.update(operation.id, 'POST'), listed.map(({ declared }) => declared)],
      after: [
        listed.map(({ name }) => checkId(operation.id, name, 'enum', 'accepted')),
        text !== undefined && [
          roots.stored(operation.id, text.name, 'POST'),
          roots.readBack(collection, text.parameter),
        ],
      ],
      async run(own) {
        // A record of its own: other checks update theirs meanwhile.
        const record = await newOne(own, collection);
        const words = new Map(fields.map((field) => [field.name, shownValue(record.shown, field)]));
        const had = listed.filter(({ name, schema }) => schema.enum?.includes(words.get(name)));
        if (had.length === 0) return inconclusive('the record shows none of the stated words');
        const repeated = [...had, ...fields.filter(({ name }) => name === 'title')];
        const change = new Map(words);
        if (text !== undefined) change.set(text.name, `${record.slug} again`);
        const whole = await own.update(record, bodyOf([...repeated, ...(text ? [text] : [])], change));
        if (whole.answer === 'refused') {
          const undecided = `several words together are refused, and none alone (${explain(whole)})`;
          return (await refusedAlone(own, record, had, words)) ?? inconclusive(undecided);
        }
        must.accept('an update with the words of the record', whole);
        return text && lostBeside(own, record, text, { answer: whole, written: change });
      },
    }),
  ];
}

/** The finding for the first of some fields whose value is refused alone, though the record has it. */
async function refusedAlone(
  own: OwnRecords,
  record: OwnRecord,
  fields: readonly WritableField[],
  words: Write['written'],
): Promise<Found> {
  const control = await own.update(record, { title: `${record.slug} title` });
  must.accept('an update with another title', control);
  for (const field of fields) {
    const alone = await own.update(record, bodyOf([field], words));
    if (alone.answer !== 'refused') continue;
    return failureBy(`an update with the ${field.label} that the record has is refused`, 'accepted', alone);
  }
  return undefined;
}

/** The finding if a field was lost beside others that the record had already: software may take these for no change. */
async function lostBeside(
  own: OwnRecords,
  record: OwnRecord,
  field: WritableField,
  { answer, written }: Pick<Write, 'answer' | 'written'>,
): Promise<Found> {
  const value = written.get(field.name);
  if (isStored(own.session, field, value, answer.json)) return [];
  const { read, shown } = await readBack(own, record);
  if (shown === undefined || isStored(own.session, field, value, shown)) return [];
  const message = `an update that repeats what the record has does not store another ${field.label}`;
  return differs(message, value, shownValue(shown, field), answer, read);
}

function othersAloneCheck({ collection, resource, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'alone', 'others'),
    title: `${operation.id} leaves other records of ${collection} alone`,
    section: '2',
    on: operation,
    needs: [roots.update(operation.id, 'POST')],
    after: [checkId('records', collection, 'alone')],
    async run(own) {
      const other = await sharedRecord(own, collection, 'plain');
      const updates = await updatesOf(own, collection);
      const last = updates.findLast(({ answer }) => answer.answer === 'accepted');
      if (!('id' in other) || last === undefined) return inconclusive('no record was updated beside another');
      const { read, shown } = await readBack(own, other);
      const removed = shown === undefined ? await reportedAsRemoved(own, other) : undefined;
      if (removed !== undefined) return removed;
      must.accept(`reading another record of ${collection} after updates`, read);
      const [first] = changedFields(own, other, other.shown, shown);
      if (first === undefined) return [];
      const cause = await causeOf(own, other, first);
      const [root] = roots.untouched(resource);
      if (cause !== undefined && cause.what !== operation.id && own.session.runs(root)) return blocked(root);
      const message = `updates of one record changed ${first} of another`;
      const expected = `${first} as before: ${show(other.shown[first])}`;
      return contradicts(message, expected, show(member(shown, first)), other.created, last.answer, read);
    },
  });
}

function answerCheck(
  { collection, operation }: WritableCollection,
  needs: readonly string[],
  writesOf: (own: OwnRecords) => Promise<readonly Write[]>,
): Check {
  const typed = typedFields(operation);
  return ownCheck({
    id: checkId(operation.id, 'answer'),
    title: `${operation.id} answers the record as it is read afterwards`,
    section: '2',
    on: operation,
    needs,
    after: [
      checkId('records', collection, 'alone'),
      checkId(operation.id, 'alone', 'POST'),
      operation.parameters.flatMap(({ name }) => roots.readBack(collection, name)),
      storedRoots(operation),
    ],
    async run(own) {
      const both = (await writesOf(own)).flatMap(({ answer, read }) =>
        answer.answer === 'accepted' && read?.answer === 'accepted' ? [{ answer, read }] : [],
      );
      if (both.length === 0) return inconclusive('no write was accepted and read back');
      for (const { answer, read } of both) {
        const names = contradictions(own.contract, collection, answer.json, read.json);
        const [first] = names;
        if (first !== undefined) {
          const message = `a write answers another ${names.join(', ')} than is read afterwards`;
          const shownBy = ({ json }: Observation): string => `${first} ${show(member(json, first))}`;
          return contradicts(message, shownBy(read), shownBy(answer), answer, read);
        }
        // What is read with another type too, other checks report.
        const right = typed.filter((field) => typeFailure(field, read) === undefined);
        const [wrong] = right.flatMap((field) => typeFailure(field, answer) ?? []);
        if (wrong !== undefined) return wrong;
      }
      return [];
    },
  });
}

/** The checks of single fields: a site that stores a field wrongly may still answer with the written value. */
function storedRoots(operation: Operation): string[] {
  const methods = operation.role === 'update' ? updateMethodsOf(operation) : [undefined];
  return writableFields(operation).flatMap(({ name }) => [
    ...methods.map((method) => roots.stored(operation.id, name, method)),
    checkId(operation.id, name, 'agrees'),
  ]);
}
