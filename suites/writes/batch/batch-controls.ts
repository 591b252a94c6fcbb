import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/findings.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import { type OwnFixture, ownFixture, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, switchesIn, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import type { Resource } from '../../../specs/model.ts';
import { ROUNDS } from '../fields/field-values.ts';
import { isStored } from '../fields/same-as-written.ts';
import { combinedValues, fieldSourcesOf, sharedRecord } from '../fields/shared-records.ts';
import { type BatchOutcome, BatchTrial } from './batch-trial.ts';

const CREATED = { excerpt: 'made', status: 'pending' };
const UPDATED = { content: '<p>changed</p>', excerpt: 'changed', password: 'changed', status: 'pending' };

/** The draft that is updated without a batch. */
export const UPDATED_ALONE = 'updatedalone';

/** The name of the draft that a batch updates by a method. */
export const updatedBy = (method: string): string => `updatedby${method.toLowerCase()}`;

/** The slug that an update gives to a record. */
export const renamed = (slug: string): string => `${slug}-changed`;

/** The methods by which records are updated. */
export function methodsOf({ operations: { update } }: Resource): ReturnType<typeof updateMethodsOf> {
  return update === undefined ? [] : updateMethodsOf(update);
}

/** The records after a batch and after the same requests alone, and the requests that were not accepted alone. */
export interface Controls extends BatchOutcome {
  /** Whether the creation and the updates wrote a date, so that records are to have the same one. */
  readonly areDated: boolean;
  readonly slug: (name: string) => string;
  readonly refused: Readonly<Partial<Record<string, string>>>;
}

/** Creates, updates and deletes records of a resource in a batch, and others alike without one, once. */
export const controlsOf: OwnFixture<Controls, [trial: BatchTrial, resource: Resource]> = ownFixture(
  'batch controls',
  (_, trial, resource) => createTwo(trial, resource),
  (_, { id }) => [id],
);

async function createTwo(trial: BatchTrial, resource: Resource): Promise<Controls> {
  const { own } = trial;
  const fields = { ...CREATED, ...resource.unusual, ...(await allFields(own, resource, ROUNDS.creation)) };
  const changes = { ...UPDATED, ...resource.unusual, ...(await allFields(own, resource, ROUNDS.first)) };
  const changesOf = (name: string): JsonObject => {
    const slug = trial.slug(name);
    return { ...changes, title: `${slug} changed`, slug: renamed(slug) };
  };
  const methods = methodsOf(resource);
  await trial.prepare(
    ...methods.map(updatedBy),
    UPDATED_ALONE,
    ...DELETED_DRAFTS,
    ...DELETED_DRAFTS.map(aloneOf),
  );
  const updatedAlone = await trial.alone(UPDATED_ALONE);
  const { created } = await trial.create('createdalone', fields);
  const answers: Record<string, Observation> = {
    create: created,
    update: await own.update(updatedAlone, changesOf(UPDATED_ALONE)),
  };
  const beside = await orFinding(sharedRecord(own, resource.id, 'beside'));
  const rest = own.fieldsOf(resource.id);
  const slug = trial.slug('twins');
  const parts: BatchPart[] = [
    trial.draft('created', fields),
    ...('id' in beside ? [trial.draft(BESIDE, bodyOf(rest, beside.written))] : []),
    ...TWINS.map((name) => trial.draft(name, { slug, status: resource.statuses?.open })),
  ];
  for (const method of methods) {
    const path = trial.path(await trial.alone(updatedBy(method)));
    parts.push({ method, path, body: changesOf(updatedBy(method)) });
  }
  for (const name of DELETED_DRAFTS) {
    const alone = await trial.alone(aloneOf(name));
    answers[name] =
      name === 'deleted'
        ? await own.send({ method: 'DELETE', route: trial.path(alone), body: { json: { force: true } } })
        : await own.remove(alone, name === 'deletedbyquery' || undefined);
    const path = trial.path(await trial.alone(name));
    parts.push({ method: 'DELETE', ...FORCE[name](path) });
  }
  const outcome = await runBeside(trial, 'a batch of a creation, an update and deletions', parts);
  const refused = Object.entries(answers)
    .filter(([, { answer }]) => answer !== 'accepted')
    .map(([verb, answer]) => [verb, describe(answer)]);
  return {
    ...outcome,
    areDated: [fields, changes].every((one) => 'date' in one),
    slug: (name) => trial.slug(name),
    refused: Object.fromEntries(refused),
  };
}

/** The names of the drafts that are deleted: the last two not for good, which they must not take from those before. */
export const DELETED_DRAFTS = ['deletedbyquery', 'deleted', 'unforced', 'trashed'] as const;
/** The creation with the fields that no other one can combine. */
export const BESIDE = 'createdbeside';
/** Two creations with one slug. */
export const TWINS = ['twina', 'twinb'] as const;

/** How a part says `force`: the text `false` in a query is no deletion for good either. */
const FORCE: Readonly<Record<(typeof DELETED_DRAFTS)[number], (path: string) => BatchPart>> = {
  deleted: (path) => ({ path, body: { force: true } }),
  deletedbyquery: (path) => ({ path: `${path}?force=true` }),
  unforced: (path) => ({ path }),
  trashed: (path) => ({ path: `${path}?force=false` }),
};

/** The name of the control of a draft. */
export const aloneOf = (name: string): string => `${name}alone`;

/**
 * Values of all kinds that a creation takes together, and that a draft does not have by itself if a site has several; none if
 * it takes fewer. Titles and slugs name the records.
 */
async function allFields(own: OwnRecords, { id }: Resource, round: number): Promise<JsonObject> {
  if (!('id' in (await sharedRecord(own, id, 'main')))) return {};
  const all = own.fieldsOf(id);
  // Of switches that are written at the same time, real software may lose some.
  const switches = switchesIn(all);
  const fields = all.filter((field) => !NAMED.has(field.name) && !switches.includes(field));
  const values = await combinedValues(own, id, fields, round);
  const first = await combinedValues(own, id, fields);
  const { plain } = await fieldSourcesOf(own, id);
  const isUsual = (field: WritableField): boolean =>
    isStored(own.session, field, values.get(field.name), plain);
  const others = fields
    .filter(isUsual)
    .flatMap(({ name }) => (first.has(name) ? [[name, first.get(name)] as const] : []));
  return bodyOf(fields, new Map([...values, ...others]));
}

const NAMED: ReadonlySet<string> = new Set(['slug', 'title', 'status']);
/** Runs a batch beside a creation in another collection, of which a site may run the first or the last alone. */
async function runBeside(
  trial: BatchTrial,
  what: string,
  parts: readonly BatchPart[],
): Promise<BatchOutcome> {
  const { own, collection } = trial;
  const batched = describedCollections(own.contract).filter(
    ({ kind, operations }) => kind === 'records' && operations.create?.batchable === true,
  );
  const other = batched.find(({ id }) => id !== collection);
  if (other === undefined) return trial.run(what, parts);
  const beside = new BatchTrial(own, other.id);
  const part = await orFinding((async () => beside.draft('beside'))());
  if (isFinding(part)) return trial.run(what, parts);
  const isFirst = batched[0]?.id === collection;
  const outcome = await trial.run(what, isFirst ? [part, ...parts] : [...parts, part]);
  // What it created is the run's own too.
  await orFinding(beside.look(outcome.answer, trial.ids));
  return outcome;
}
