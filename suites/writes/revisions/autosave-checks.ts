import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Found } from '../../../engine/check.ts';
import { explain, show } from '../../../engine/findings.ts';
import { changedFields } from '../../../probing/records/own/make-record.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { contradicts, differs, must, recordOrAbort } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownCheck, ownFixture, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, isText, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { idsIn, itemsOf, rawOf } from '../../../probing/records/reading/record.ts';
import { childOf, isOwnable, ofKind, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { ROUNDS } from '../fields/field-values.ts';
import { combinedValues } from '../fields/shared-records.ts';
import { evaluateChild, idsRoot } from './revision-checks.ts';

/** Checks of autosaves (§2, §4.6), on a published own record with one. */
export function autosaveChecks(contract: Contract): Check[] {
  return ofKind(contract, 'autosaves')
    .filter((resource) => isOwnable(contract, resource))
    .flatMap(checksOf);
}

const SAVED = '<p>saved beside it</p>';

/** A published own record, the answer to its autosave, and what the list of its autosaves and a read of one show then. */
interface SavedRecord {
  readonly record: OwnRecord;
  /** What its creation wrote, by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly saved: Observation;
  readonly list: Observation;
  /** Undefined where nothing shows the id of the autosave, or it cannot be read alone. */
  readonly alone: { readonly id: number; readonly read: Observation } | undefined;
}

function checksOf({ id: children, parent: type = '', section, operations }: Resource): Check[] {
  const { create } = operations;
  if (create === undefined) return [];
  const about = (word: string, role: string) => ({
    id: checkId('autosaves', type, word),
    section,
    operation: `${children}.${role}`,
    needs: [
      checkId(`${children}.create`, 'method', 'POST'),
      checkId(`${children}.${role}`, 'method', role === 'create' ? 'POST' : 'GET'),
    ],
    after: [
      roots.creation(type),
      ...(role === 'create'
        ? [checkId('states', type, 'untouched'), checkId(`${type}.update`, 'alone', 'others')]
        : [idsRoot(children)]),
    ],
  });
  const saved = (own: OwnRecords): Promise<SavedRecord> => savedRecord(own, type, create);
  const checks = [
    ownCheck({
      ...about('apart', 'create'),
      kind: 'states',
      title: `an autosave of a published record of ${type} leaves the record as it is`,
      run: async (own) => evaluateApart(own, 'an autosave', await saved(own)),
    }),
    ownCheck({
      ...about('ids', 'list'),
      kind: 'fields',
      title: `an autosave of one of the ${type} is listed under it, with its id and its parent`,
      basis: 'stated',
      run: async (own) => evaluateListed(await saved(own)),
    }),
    ownCheck({
      ...about('read', 'read'),
      kind: 'states',
      title: `an autosave of one of the ${type} can be read alone`,
      basis: 'stated',
      after: [
        roots.creation(type),
        checkId('autosaves', type, 'ids'),
        idsRoot(children),
        checkId('records', children, 'every-answer', 'ids'),
      ],
      run: async (own) => evaluateRead(await saved(own)),
    }),
  ];
  const has = new Set(Object.values(operations).map((one) => one?.id));
  return checks.filter((check) => has.has(check.operation));
}

/** A published own record with an autosave of all its fields, once. @throws Aborted if there is none */
export const savedRecord: OwnFixture<SavedRecord, [type: string, create: Operation]> = ownFixture(
  'own autosave of',
  async (own, type, create) => {
    const { creation, written } = await published(own, type, create);
    const record = recordOrAbort(creation, 'nothing can be published');
    const status = member(record.created.json, 'status');
    if (status !== undefined && status !== 'publish') {
      throw inconclusiveAbort(`what was to be published has the status ${show(status)}`);
    }
    const route = routeFor(create, record.id);
    const json = own.stated(type, { title: `${record.slug} saved`, content: SAVED, excerpt: SAVED });
    const save = (fields: JsonObject) => own.send({ method: 'POST', route, body: { json: fields } });
    const further = await furtherValues(own, type, create, ROUNDS.first);
    const full = await save({ ...bodyOf(writableFields(create), further), ...json });
    const saved = full.answer === 'refused' ? await save(json) : full;
    must.accept('an autosave of an own published record', saved);
    const list = await own.get(route);
    const answered = member(saved.json, 'id');
    const id = idsIn(list)[0] ?? (typeof answered === 'number' ? answered : undefined);
    const { read } = childOf(own.contract, type, 'autosaves')?.operations ?? {};
    const isRead = id !== undefined && read !== undefined;
    const alone = isRead ? { id, read: await own.get(`${route}/${id}`) } : undefined;
    return { record, written, saved, list, alone };
  },
  (type) => [type],
);

/** Creates a published record with all fields, which an autosave may neither take over nor reset, or with text alone. */
async function published(own: OwnRecords, type: string, create: Operation) {
  const texts = { status: 'publish', content: '<p>published</p>' };
  const written = await furtherValues(own, type, create, ROUNDS.creation);
  const creation = await own.create(type, { ...bodyOf(writableFields(create), written), ...texts });
  if ('id' in creation) return { creation, written };
  return { creation: await own.create(type, texts), written: new Map<string, unknown>() };
}

/** Values of the other fields that a record takes together, others in each round; those of the first are no defaults. */
async function furtherValues(
  own: OwnRecords,
  type: string,
  create: Operation,
  round: number,
): Promise<Map<string, unknown>> {
  const fields = writableFields(create).filter((one) => !isText(one) && !BESIDE_FIELDS.has(one.name));
  return combinedValues(own, type, fields, round);
}

/** What names the record of an autosave (R14), and what may only be changed by itself. */
const BESIDE_FIELDS: ReadonlySet<string> = new Set(['parent', 'status', 'slug']);

/** Evaluates a published record after an autosave. @param what the autosave, which starts a sentence @throws Aborted */
export async function evaluateApart(
  own: OwnRecords,
  what: string,
  { record, saved }: Pick<SavedRecord, 'record' | 'saved'>,
): Promise<Found> {
  const read = await own.read(record);
  if (read.answer !== 'accepted') throw inconclusiveAbort(`the own record cannot be read (${explain(read)})`);
  const { read: before } = record;
  const [first, ...others] = changedFields(own, record, before.json, read.json);
  if (first === undefined) return [];
  const message = `${what} changes the published record: its ${[first, ...others].join(' and ')}`;
  const [expected, observed] = [before, read].map(({ json }) => rawOf(json, first) ?? member(json, first));
  return differs(message, expected, observed, saved, read);
}

function evaluateListed({ record, saved, list }: SavedRecord): Found {
  // The site has just taken an autosave on this route.
  must.accept('the list of autosaves of an own record', list);
  const answered = isObject(saved.json) ? evaluateChild('a new autosave', saved.json, record.id, saved) : [];
  if (answered.length > 0) return answered;
  const items = itemsOf(list);
  if (items.length > 0) return items.flatMap((item) => evaluateChild('an autosave', item, record.id, list));
  return contradicts('an autosave is not listed under its record', 'an autosave', 'none', saved, list);
}

function evaluateRead({ record, alone }: SavedRecord): Found {
  if (alone === undefined)
    throw inconclusiveAbort('neither the list nor the answer shows the id of the autosave');
  const { id, read } = alone;
  must.accept('reading an autosave alone', read);
  return evaluateChild('an autosave', read.json, record.id, read, id);
}
