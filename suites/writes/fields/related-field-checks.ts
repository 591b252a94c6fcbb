import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Check, checkId, declares, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { blocked, explain, failure, failureBy, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import {
  changedFields,
  makeRecord,
  newOne,
  readBack,
  type Write,
  writeOf,
} from '../../../probing/records/own/make-record.ts';
import { curlsOf, differs, must, notAccepted, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { fieldCheck, ownCheck, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableCollection, WritableField } from '../../../probing/records/own/writable-fields.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  shownValue,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { evaluateFieldType } from '../../../probing/records/reading/field-type.ts';
import { contradictions, rawOf } from '../../../probing/records/reading/record.ts';
import { operationFor, routeFor, takes, wireOf } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { scheduledRecord, statusRecordsWith } from '../states/status-records.ts';
import { causeOf, reportedAsRemoved } from '../states/untouched-checks.ts';
import { instantOf, isStored, mayBeZone, zoneOf } from './same-as-written.ts';
import { creationOf, groupOf } from './shared-records.ts';
import { updatesOf } from './update-steps.ts';

/** Checks that a write answers the record as read afterwards (R11), and that updates change no others. */
export function answerChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').map((about) =>
      answerCheck(about, [roots.creation(about.collection)], async (own) => {
        const full = await creationOf(own, about.collection, 'main');
        const others = await statusRecordsWith(own, about.collection);
        return [
          ...('id' in full ? [writeOf(full, full.written)] : []),
          ...others.map(({ record }) => writeOf(record, new Map())),
        ];
      }),
    ),
    ...collectionsWith(contract, 'update').map((about) => {
      const needs = updateMethodsOf(about.operation).map((method) =>
        roots.update(about.operation.id, method),
      );
      return answerCheck(about, needs, (own) => updatesOf(own, about.collection));
    }),
    ...collectionsWith(contract, 'update').flatMap((about) => [othersCheck(about), ...againCheck(about)]),
    ...collectionsWith(contract, 'create').map(writtenTypesCheck),
  ];
}

/** The check of types in new records: some of them have empty fields, or a status that the records of a site lack. */
function writtenTypesCheck({ collection, operation }: WritableCollection): Check {
  const fields = operation.parameters.filter(({ in: place, schema }) => place !== 'path' && schema.type);
  return ownCheck({
    id: checkId('records', collection, 'written', 'types'),
    title: `the fields of new ${collection} are of the stated types, whatever their status, and where they are empty`,
    section: '2',
    basis: 'stated',
    on: operation,
    needs: [roots.creation(collection)],
    after: fields.map(({ name }) => checkId('records', collection, 'types', name)),
    async run(own) {
      const made = await Promise.all(
        (['main', 'plain'] as const).map((one) => creationOf(own, collection, one)),
      );
      const others = await statusRecordsWith(own, collection);
      const records = [...made, ...others.map(({ record }) => record)].filter((one) => 'id' in one);
      if (records.length === 0) return inconclusive('no record was created');
      const wrong = records.flatMap(({ id, shown, read }) =>
        fields.flatMap((field) =>
          evaluateFieldType(field, { records: [{ id, json: shown }], curl: read.curl }).filter(
            ({ kind }) => kind === 'failure',
          ),
        ),
      );
      return wrong.slice(0, 1);
    },
  });
}

/** The check that an update may write the words that a record has, as a client does that sends back what it read. */
function againCheck({ collection, operation }: WritableCollection): Check[] {
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
      needs: [roots.update(operation.id, 'POST'), ...listed.map(({ declared }) => declared)],
      after:
        text === undefined
          ? []
          : [roots.stored(operation.id, text.name, 'POST'), ...roots.readBack(collection, text.parameter)],
      async run(own) {
        // A record of its own: other checks update theirs meanwhile.
        const record = await newOne(own, collection);
        const words = new Map(fields.map((field) => [field.name, shownValue(record.shown, field)]));
        const had = listed.filter(({ name, schema }) => schema.enum?.includes(words.get(name)));
        if (had.length === 0) return inconclusive('the record shows none of the stated words');
        const repeated = [...had, ...fields.filter(({ name }) => name === 'title' && words.has(name))];
        const texts = text === undefined ? [] : [text];
        const change = new Map([
          ...words,
          ...texts.map(({ name }) => [name, `${record.slug} again`] as const),
        ]);
        const whole = await own.update(record, bodyOf([...repeated, ...texts], change));
        if (whole.answer !== 'refused') {
          const unaccepted = notAccepted('an update with the words of the record', whole);
          const update = { answer: whole, written: change };
          return unaccepted ?? (text ? lostBeside(own, record, text, update) : []);
        }
        const control = await own.update(record, { title: `${record.slug} title` });
        must.accept('an update with another title', control);
        for (const field of had) {
          const alone = await own.update(record, bodyOf([field], words));
          if (alone.answer !== 'refused') continue;
          const message = `an update with the ${field.label} that the record has is refused`;
          return failureBy(message, 'accepted', alone);
        }
        return inconclusive(`several words together are refused, and none alone (${explain(whole)})`);
      },
    }),
  ];
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

function othersCheck({ collection, resource, operation }: WritableCollection): Check {
  const { create } = resource.operations;
  return ownCheck({
    id: checkId(operation.id, 'alone', 'others'),
    title: `${operation.id} leaves other records of ${collection} alone`,
    section: '2',
    on: operation,
    needs: [roots.update(operation.id, 'POST')],
    after: [checkId('records', collection, 'alone')],
    async run(own) {
      const other = await creationOf(own, collection, 'plain');
      const updates = await updatesOf(own, collection);
      const last = updates.findLast(({ answer }) => answer.answer === 'accepted');
      if (!('id' in other) || last === undefined) return inconclusive('no record was updated beside another');
      const { read, shown } = await readBack(own, other);
      const removed = shown === undefined ? await reportedAsRemoved(own, other) : undefined;
      if (removed !== undefined) return removed;
      must.accept(`reading another record of ${collection} after updates`, read);
      const [first] = changedFields(own, other, other.shown, shown);
      if (first === undefined) return [];
      const cause = create && (await causeOf(own, other, first, { collection, resource, operation: create }));
      const [root] = roots.untouched(resource);
      if (cause !== undefined && cause.what !== operation.id && own.session.runs(root)) return blocked(root);
      return failure(`updates of one record changed ${first} of another`, {
        expected: `${first} as before: ${show(other.shown[first])}`,
        observed: show(member(shown, first)),
        reproduce: [other.created.curl, last.answer.curl, read.curl],
      });
    },
  });
}

function answerCheck(
  { collection, operation }: WritableCollection,
  needs: readonly string[],
  writesOf: (own: OwnRecords) => Promise<readonly Write[]>,
): Check {
  return ownCheck({
    id: checkId(operation.id, 'answer'),
    title: `${operation.id} answers the record as it is read afterwards`,
    section: '2',
    on: operation,
    needs,
    after: [
      checkId('records', collection, 'alone'),
      ...operation.parameters.flatMap(({ name }) => roots.readBack(collection, name)),
      ...storedRoots(operation),
    ],
    async run(own) {
      const writes = await writesOf(own);
      const both = writes.filter(({ answer, read }) =>
        [answer, read].every((one) => one?.answer === 'accepted'),
      );
      if (both.length === 0) return inconclusive('no write was accepted and read back');
      for (const { answer, read } of both) {
        const names = contradictions(own.session.contract, collection, answer.json, read?.json);
        const [first] = names;
        if (first === undefined) continue;
        return failure(`a write answers another ${names.join(', ')} than is read afterwards`, {
          expected: `${first} ${show(member(read?.json, first))}`,
          observed: `${first} ${show(member(answer.json, first))}`,
          reproduce: curlsOf(answer, read),
        });
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

/** Checks of fields that depend on others, or have a default: the two dates, and the defaults of `meta` (§2). */
export function relatedFieldChecks(contract: Contract): Check[] {
  const creations = collectionsWith(contract, 'create');
  return [
    ...creations.flatMap((about) => {
      const dates = writableFields(about.operation).filter(({ name }) => /^date(_gmt)?$/.test(name));
      return dates.length < 2 ? [] : dates.map(agreementCheck);
    }),
    ...creations.flatMap((about) =>
      writableFields(about.operation)
        .filter(({ key, schema }) => key !== undefined && 'default' in schema)
        .map(defaultCheck),
    ),
  ];
}

/** The check that `date` and `date_gmt` are the same time, whichever of them was written (§2). */
function agreementCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['agrees'], {
    title: `date and date_gmt name one instant after ${field.wire} was written by ${operation.id}`,
    basis: 'implied',
    needs: [roots.stored(operation.id, field.name)],
    after: ['date', 'date_gmt'].flatMap((name) => roots.readBack(collection, name)),
    async run(own) {
      const shared = await creationOf(own, collection, groupOf(field));
      const written = new Map([...shared.written].filter(([name]) => name === field.name));
      // A creation with many fields may be refused because of one.
      const record = 'id' in shared ? shared : await makeRecord(own, { collection, written });
      if (!('id' in record)) return inconclusive(`no record with ${field.wire} could be made`);
      const waiting = field.name === 'date' ? await scheduledRecord(own, collection) : undefined;
      return [record, waiting ?? record].flatMap((one) => evaluateDates(own.session, one)).slice(0, 1);
    },
  });
}

function evaluateDates(session: Session, record: OwnRecord): Finding[] {
  const { date: local, date_gmt: gmt } = record.shown;
  const zone = zoneOf(session.index);
  const [one, other] = [instantOf(local, zone ?? 0), instantOf(gmt, 0)];
  if (one !== undefined && other !== undefined && mayBeZone(one - other, zone)) return [];
  const expected =
    zone === undefined ? 'a difference that a time zone can have' : `${zone / 60} hours between them`;
  const observed = `date ${show(local)}, date_gmt ${show(gmt)}`;
  const reproduce = curlsOf(record.created, record.read);
  return [failure('date and date_gmt do not name one instant', { expected, observed, reproduce })];
}

/** The check that a key of `meta` that was not written has its stated default (§2). */
function defaultCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['default'], {
    title: `${field.label} reads ${show(field.schema.default)} where ${operation.id} was not given it`,
    needs: [field.declared, roots.creation(collection)],
    after: [],
    async run(own) {
      const plain = await creationOf(own, collection, 'plain');
      const shown = 'id' in plain ? shownValue(plain.shown, field) : undefined;
      if (!('id' in plain) || shown === undefined)
        return inconclusive(`an own record does not show ${field.label}`);
      if (sameMeaning(shown, field.schema.default)) return [];
      const message = `${field.label} does not read as its default on a record that was not given it`;
      return differs(message, field.schema.default, shown, plain.created, plain.read);
    },
  });
}

const NAME = 'excerpt_length';
/** Words of the content only, more than a generated excerpt has by default. */
const WORDS = Array.from({ length: 120 }, (_, at) => `amber${at + 101}`);
const [SHORT, LONG] = [2, 100];

/** Checks that `excerpt_length` changes the length of a generated excerpt (§4.6, R29). */
export function excerptLengthChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) => {
    const read = operationFor(contract, about.collection, 'read');
    const isMade = takes(about.operation, 'content', 'excerpt');
    return read !== undefined && isMade && takes(read, NAME) ? [appliedCheck(about, read)] : [];
  });
}

function appliedCheck({ collection, operation }: WritableCollection, read: Operation): Check {
  return ownCheck({
    id: checkId(read.id, NAME, 'applied'),
    title: `${NAME} of ${read.id} overrides how long an excerpt is that is made of the content`,
    on: read,
    parameter: NAME,
    needs: [
      serves(read, 'GET'),
      declares(read, NAME),
      roots.stored(operation.id, 'content'),
      roots.creation(collection),
    ],
    async run(own) {
      const written = new Map([['content', WORDS.join(' ')]]);
      const made = await makeRecord(own, { collection, written });
      const record = must.create(`a creation in ${collection} with content alone`, made);
      if (rawOf(record.shown, 'excerpt') !== '')
        return inconclusive('a record gets an excerpt of its own where none is written');
      const looks: Observation[] = [];
      for (const length of [SHORT, LONG, undefined]) {
        const query = encodeArgs({ context: 'view', [wireOf(read, NAME)]: length });
        const look = await own.get(routeFor(read, record.id), 'user', query);
        must.accept(`reading it with ${NAME} ${length ?? 'left out'}`, look);
        looks.push(look);
      }
      return evaluateLengths(record, looks);
    },
  });
}

/** Evaluates reads with a short length, a long one, and none. */
function evaluateLengths({ created }: OwnRecord, looks: readonly Observation[]): Found {
  const [short = 0, long = 0, usual = 0] = looks.map(wordsShown);
  // How a site generates an excerpt is not stated.
  if (long === 0) return inconclusive('no excerpt is made of the content');
  const reproduce = [created.curl, ...looks.map(({ curl }) => curl)];
  if (short >= long) {
    return failure(`an excerpt is as long with ${NAME} ${SHORT} as with ${NAME} ${LONG}`, {
      expected: `fewer than ${long} words of the content with ${SHORT}`,
      observed: `${short} words`,
      reproduce,
    });
  }
  // Some sites count characters, so that fewer words prove nothing.
  if (long !== usual || usual >= LONG) return [];
  const shown = { expected: `more than ${usual} words of the content`, observed: `${long} words`, reproduce };
  return failure(`an excerpt with ${NAME} ${LONG} is cut at the usual length`, shown);
}

function wordsShown({ json }: Observation): number {
  const text = member(member(json, 'excerpt'), 'rendered');
  return typeof text === 'string' ? WORDS.filter((word) => text.includes(word)).length : 0;
}
