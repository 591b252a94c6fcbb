import { member } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { failure, failureBy, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { listAll } from '../../../probing/records/clean-up/census.ts';
import { curlsOf, hasSlug, must } from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots, UPDATE_METHODS, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableCollection, WritableField } from '../../../probing/records/own/writable-fields.ts';
import { collectionsWith, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { type SiteRecord, textOf, toRecords } from '../../../probing/records/reading/record.ts';
import type { Contract } from '../../../specs/model.ts';
import { type UpdateStep, updatedAlone } from './evaluate-stored.ts';
import { fieldValue } from './field-values.ts';
import { isStored } from './same-as-written.ts';
import { creationOf, fieldSourcesOf } from './shared-records.ts';
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
      const plain = await creationOf(own, collection, 'plain');
      must.create(`a creation in ${collection} with nothing but plain text`, plain);
      return [];
    },
  });
}

function onceCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'once'),
    title: `${operation.id} makes one record for one request`,
    on: operation,
    needs: [roots.creation(collection), checkId(`${collection}.list`, 'method', 'GET')],
    async run(own) {
      const plain = await creationOf(own, collection, 'plain');
      const made = await madeAtOnce(own, collection);
      if (made.length === 1) return [];
      if (made.length === 0) return NOT_SEARCHED;
      const copies = made.filter(({ json }) => 'slug' in plain && hasSlug(json, plain.slug));
      if (copies.length === 1)
        return inconclusive('a plugin may make a record with the same title beside each');
      return failure(`one creation in ${collection} made ${made.length} records`, {
        expected: 'one record',
        observed: `the ids ${made.map(({ id }) => id).join(', ')}`,
        reproduce: [plain.created.curl],
      });
    },
  });
}

const NOT_SEARCHED: Finding = inconclusive('a search for its title does not find a new record');

/** The records that one creation made, once for each collection. */
export const madeAtOnce: OwnFixture<SiteRecord[], [collection: Collection]> = ownFixture(
  'records of one creation',
  async (own, collection) => {
    const plain = await creationOf(own, collection, 'plain');
    const search = 'id' in plain ? plain.slug : '';
    const listing = orAbort(await listAll(own.session, collection, { search }));
    const isTitled = (one: SiteRecord): boolean => textOf(one, 'title')?.text === `${search} title`;
    return toRecords(listing.records).filter(isTitled);
  },
);

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
      const found = answeredByOther(steps) ?? (await demandingOne(own, fields, steps));
      if (found !== undefined) return found;
      const changes = (step: UpdateStep): boolean => changesSomething(own.session, fields, step);
      if (steps.some(changes)) return [];
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
    return failure(`${method} of a record is answered with another record`, {
      expected: `id ${id}`,
      observed: `id ${answered}`,
      reproduce: [answer.curl],
    });
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
  const known = fieldValue(field, await fieldSourcesOf(own, collection), 1);
  if (isFinding(known)) return known;
  const alone = await updatedAlone({ own, field, value: known.value }, method);
  const again = steps.find(({ answer, written }) => answer.answer === 'refused' && written.size === 1);
  if (alone.length > 0 || again === undefined) return alone;
  const message = `${method} of a record that was updated before is refused`;
  return failureBy(message, 'accepted, as of a record that was not', again.answer);
}

/** The failure of a method that is refused wherever it lacks one field, which the first method does not require. */
async function demandingOne(
  own: OwnRecords,
  fields: readonly WritableField[],
  steps: readonly UpdateStep[],
): Promise<Finding | undefined> {
  const [accepted, refused] = (['accepted', 'refused'] as const).map((kind) =>
    steps.filter(({ answer }) => answer.answer === kind),
  );
  const [step] = refused ?? [];
  const demanded = fields.find(
    ({ name }) =>
      accepted?.every(({ written }) => written.has(name)) === true &&
      refused?.some(({ written }) => written.has(name)) === false,
  );
  if (!accepted?.length || step === undefined || demanded === undefined || step.method === FIRST)
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

function changesSomething(session: Session, fields: readonly WritableField[], step: UpdateStep): boolean {
  const isIn = (field: WritableField, record: unknown): boolean =>
    isStored(session, field, step.written.get(field.name), record);
  return fields.some(
    (field) => step.written.has(field.name) && isIn(field, step.shown) && !isIn(field, step.before),
  );
}

function nothingChanged(method: Method, { answer, read, written }: UpdateStep): Found {
  if (read !== undefined) must.accept(`reading a record after ${method}`, read);
  return failure(`${method} is answered with success, but changes nothing`, {
    expected: `new values of ${[...written.keys()].join(', ')}`,
    observed: 'the record as it was before',
    reproduce: curlsOf(answer, read),
  });
}
