import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, declares, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { blocked, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { makeRecord, newOne } from '../../../probing/records/own/make-record.ts';
import { contradicts, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { fieldCheck, ownCheck, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableCollection, WritableField } from '../../../probing/records/own/writable-fields.ts';
import { collectionsWith, shownValue, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { operationFor, routeFor, takes, wireOf } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { scheduledRecord } from '../states/status-records.ts';
import { instantOf, isStored, mayBeZone, zoneOf } from './same-as-written.ts';
import { groupOf, sharedRecord } from './shared-records.ts';

/** Checks of fields that depend on others, or have a default: the two dates, and the defaults of `meta` (§2). */
export function relatedFieldChecks(contract: Contract): Check[] {
  const creations = collectionsWith(contract, 'create').map(({ operation }) => writableFields(operation));
  const isOfMeta = ({ key, schema }: WritableField): boolean => key !== undefined && 'default' in schema;
  return [
    ...creations.flatMap((fields) => {
      const dates = fields.filter(({ name }) => /^date(_gmt)?$/.test(name));
      return dates.length < 2 ? [] : dates.map(agreementCheck);
    }),
    ...creations.flatMap((fields) => fields.filter(isOfMeta).map(defaultCheck)),
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
      const shared = await sharedRecord(own, collection, groupOf(field));
      const written = new Map([...shared.written].filter(([name]) => name === field.name));
      // A creation with many fields may be refused because of one.
      const record = 'id' in shared ? shared : await makeRecord(own, { collection, written });
      if (!('id' in record)) return inconclusive(`no record with ${field.wire} could be made`);
      const waiting = field.name === 'date' ? await scheduledRecord(own, collection) : undefined;
      const [found] = [record, waiting ?? record].flatMap((one) => evaluateDates(own.session, one));
      if (found === undefined) return [];
      return (await isOfDates(own, record)) ? blocked(roots.stored(operation.id, 'date')) : found;
    },
  });
}

/** Whether dates are a time zone apart, and one that was written is not stored either, which another check reports. */
async function isOfDates(own: OwnRecords, { collection, shown }: OwnRecord): Promise<boolean> {
  const [one, other] = [instantOf(shown.date, 0), instantOf(shown.date_gmt, 0)];
  if (one === undefined || other === undefined || !mayBeZone(one - other, undefined)) return false;
  const main = await orFinding(sharedRecord(own, collection, 'main'));
  const date = own.fieldsOf(collection).find(({ name }) => name === 'date');
  if (date === undefined || !('id' in main)) return false;
  const written = main.written.get('date');
  if (written === undefined) return false;
  const isRun = own.session.runs(roots.stored(date.operation.id, 'date'));
  return isRun && !isStored(own.session, date, written, main.shown);
}

function evaluateDates(session: Session, record: OwnRecord): Finding[] {
  const { date: local, date_gmt: gmt } = record.shown;
  const zone = zoneOf(session.index, local);
  const [one, other] = [instantOf(local, zone ?? 0), instantOf(gmt, 0)];
  if (one !== undefined && other !== undefined && mayBeZone(one - other, zone)) return [];
  const expected =
    zone === undefined ? 'a difference that a time zone can have' : `${zone / 60} hours between them`;
  const observed = `date ${show(local)}, date_gmt ${show(gmt)}`;
  const message = 'date and date_gmt do not name one instant';
  return [contradicts(message, expected, observed, record.created, record.read)];
}

/** The check that a key of `meta` that was not written has its stated default (§2). */
function defaultCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldCheck(field, ['default'], {
    title: `${field.label} reads ${show(field.schema.default)} where ${operation.id} was not given it`,
    needs: [field.declared, roots.creation(collection)],
    after: [],
    async run(own) {
      const plain = await sharedRecord(own, collection, 'plain');
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
    after: [checkId(read.id, NAME, 'type', 'accepted'), checkId(read.id, NAME, 'shortens')],
    async run(own) {
      const written = new Map([['content', WORDS.join(' ')]]);
      const record = await newOne(own, collection, { written, further: ' with content alone' });
      if (rawOf(record.shown, 'excerpt') !== '')
        return inconclusive('a record gets an excerpt of its own where none is written');
      const looks: Observation[] = [];
      for (const length of [SHORT, LONG, undefined]) {
        // The check of excerpts that the site has reads in view.
        const context = takes(read, 'context') ? 'embed' : undefined;
        const query = encodeArgs({ context, [wireOf(read, NAME)]: length });
        const look = await own.get(routeFor(read, record.id), 'user', query);
        must.accept(`reading it with ${NAME} ${length ?? 'left out'}`, look);
        looks.push(look);
      }
      return evaluateLengths(record, looks);
    },
  });
}

function evaluateLengths({ created }: OwnRecord, looks: readonly Observation[]): Found {
  const [short = 0, long = 0, usual = 0] = looks.map(wordsShown);
  // How a site generates an excerpt is not stated.
  if (long === 0) return inconclusive('no excerpt is made of the content');
  if (short >= long) {
    const message = `an excerpt is as long with ${NAME} ${SHORT} as with ${NAME} ${LONG}`;
    const expected = `fewer than ${long} words of the content with ${SHORT}`;
    return contradicts(message, expected, `${short} words`, created, ...looks);
  }
  // Some sites count characters, so that fewer words prove nothing.
  if (long !== usual || usual >= LONG) return [];
  const message = `an excerpt with ${NAME} ${LONG} is cut at the usual length`;
  return contradicts(message, `more than ${usual} words of the content`, `${long} words`, created, ...looks);
}

function wordsShown({ json }: Observation): number {
  const text = member(member(json, 'excerpt'), 'rendered');
  return typeof text === 'string' ? WORDS.filter((word) => text.includes(word)).length : 0;
}
