import { type JsonObject, member } from '../../../client/json.ts';
import { inconclusiveAbort, orFinding } from '../../../engine/aborted.ts';
import { checkId, type Finding, type Found } from '../../../engine/check.ts';
import { meaningOf, sameMeaning } from '../../../engine/equal.ts';
import { blocked, explain, show } from '../../../engine/findings.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import { type OwnRecord, withoutSlug } from '../../../probing/records/own/outcome.ts';
import { roots, UPDATE_METHODS } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { rawOf, statedPart } from '../../../probing/records/reading/record.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import type { Contract, Parameter, Resource } from '../../../specs/model.ts';
import { loneUpdatesOf } from '../fields/lone-updates.ts';
import { isStored } from '../fields/same-as-written.ts';
import { sharedRecord } from '../fields/shared-records.ts';
import { lostAlone, type SetAndUnset, setAndUnset } from '../fields/stored-checks.ts';
import { madeAtOnce } from '../states/once-checks.ts';
import {
  aloneOf,
  BESIDE,
  type Controls,
  controlsOf,
  DELETED_DRAFTS,
  methodsOf,
  renamed,
  TWINS,
  UPDATED_ALONE,
  updatedBy,
} from './batch-controls.ts';
import { type BatchCheck, type BatchOutcome, BatchTrial, batchFailure } from './batch-trial.ts';
import { switchedOn } from './method-checks.ts';
import { unmarkedChecks } from './unmarked-checks.ts';
import { invalidBetween, validationChecks } from './validation-checks.ts';

const VERBS = ['create', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

function methodRoots(methods: Iterable<string>): string[] {
  return [...methods].map((method) => checkId('batch', 'method', method));
}

/** Checks that compare a batch with the same requests sent alone, each and in sequence (R37). */
export function batchEqualityChecks(contract: Contract, sample: Resource): BatchCheck[] {
  const batched = describedCollections(contract).filter(({ kind }) => kind === 'records');
  return [
    ...validationChecks(sample),
    ...unmarkedChecks(contract, sample),
    {
      word: 'once',
      title: 'a batch carries out each of its creations once',
      run: (trial) => once(trial, sample),
    },
    ...batched.flatMap((resource) =>
      VERBS.filter((verb) => resource.operations[verb]?.batchable === true).map((verb) =>
        sameCheck(resource, verb),
      ),
    ),
    {
      word: 'sequence',
      title: 'a batch has the effect of its requests sent one after the other',
      needs: [
        ...methodRoots([...UPDATE_METHODS, 'DELETE']),
        checkId('batch', 'order'),
        ...VERBS.map((verb) => checkId('batch', 'same', `${sample.id}.${verb}`)),
      ],
      run: (trial) => sequence(trial, sample),
    },
  ];
}

function sameCheck(resource: Resource, verb: Verb): BatchCheck {
  const id = `${resource.id}.${verb}`;
  const updates = verb === 'update' ? methodsOf(resource) : [];
  const methods = verb === 'delete' ? ['DELETE'] : new Set(['POST', ...updates]);
  return {
    word: `same/${id}`,
    title: `${id} in a batch has the effect that it has alone`,
    resource,
    after: [
      ...updates.flatMap((method) => [roots.update(id, method), checkId(id, 'alone', method)]),
      ...roots.untouched(resource),
      // A title names its record.
      ...['title', 'date'].flatMap((name) => [
        roots.stored(`${resource.id}.create`, name),
        roots.stored(`${resource.id}.update`, name, 'POST'),
      ]),
      ...(verb === 'create' ? [checkId('slugs', resource.id, 'unique')] : []),
      ...(verb === 'update' ? [checkId('batch', 'order')] : []),
      ...(verb === 'delete' ? [checkId('batch', 'query'), checkId('states', resource.id, 'trash')] : []),
    ],
    needs: [checkId(id, 'batch-mark'), ...methodRoots(methods)],
    run: async (trial) => {
      const { own } = trial;
      const controls = await controlsOf(own, trial, resource);
      const found = await evaluateSame(own, resource, verb, controls);
      if ([found].flat().length > 0) return found;
      if (verb === 'create') return furtherCreations(own, resource, controls);
      return verb === 'update' ? lostUpdates(own, resource) : found;
    },
  };
}

/** The fields that differ between records which a batch makes and changes, and their controls. */
function ownToEach(verb: Verb, { areDated, found, slug }: Controls): ReadonlySet<string> {
  const isRenamed = verb === 'update' && found.get(UPDATED_ALONE)?.slug === renamed(slug(UPDATED_ALONE));
  return new Set([...(areDated && verb !== 'delete' ? [] : DATES), ...(isRenamed ? [] : ['slug'])]);
}

async function evaluateSame(
  own: OwnRecords,
  resource: Resource,
  verb: Verb,
  controls: Controls,
): Promise<Found> {
  const id = `${resource.id}.${verb}`;
  const names = {
    create: ['created'],
    update: methodsOf(resource).map(updatedBy),
    delete: DELETED_DRAFTS,
  }[verb];
  for (const name of names) {
    const refused = controls.refused[verb === 'delete' ? name : verb];
    // Without force (R21) or with a body a deletion may be refused.
    if (refused !== undefined && verb === 'delete' && name !== 'deletedbyquery') continue;
    if (refused !== undefined) throw inconclusiveAbort(`${id} is not accepted alone (${refused})`);
    const control = verb === 'update' ? UPDATED_ALONE : aloneOf(name);
    const ownOnes = ownToEach(verb, controls);
    const difference = differenceOf(resource, controls, [name, control], controls.slug, ownOnes);
    if (difference === undefined) continue;
    const { expected, observed, field } = difference;
    const lost = field && (await lostBy(own, resource, field, name));
    return lost === undefined
      ? batchFailure(otherEffect(resource, id, name), expected, observed, controls)
      : blocked(lost);
  }
  return [];
}

/** The check of the field that the method of an update, or the one of its control, does not store alone either. */
async function lostBy(own: OwnRecords, { operations: { update } }: Resource, field: string, name: string) {
  for (const method of UPDATE_METHODS.filter((one) => one === 'POST' || updatedBy(one) === name)) {
    const lost = update && (await lostAlone(own, update, field, method));
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function otherEffect(resource: Resource, id: string, name: string): string {
  const method = methodsOf(resource).find((one) => one !== 'POST' && updatedBy(one) === name);
  return method === undefined
    ? `${id} in a batch does not have the effect that it has alone`
    : `${id} by ${method} in a batch does not have the effect that it has by POST alone`;
}

/** Evaluates what creations of a batch have otherwise than alone: further fields, slugs, and values of one another. */
async function furtherCreations(own: OwnRecords, resource: Resource, controls: Controls): Promise<Found> {
  const beside = await orFinding(sharedRecord(own, resource.id, 'beside'));
  const alone = 'id' in beside ? beside : undefined;
  return (
    (alone && lostBeside(own, resource, controls, alone)) ??
    lostSlug(resource, controls) ??
    (alone && takenFromPrevious(own, resource, controls, alone)) ??
    sharedSlug(resource, controls)
  );
}

/** The record that was created alone with the fields that no other one can combine. */
type BesideAlone = Extract<Awaited<ReturnType<typeof sharedRecord>>, OwnRecord>;

/** The finding if the creation with these fields loses one of them in a batch. */
function lostBeside(own: OwnRecords, { id }: Resource, controls: Controls, alone: BesideAlone) {
  const made = controls.found.get(BESIDE);
  if (made === undefined) return undefined;
  const lost = own.fieldsOf(id).find((field) => {
    const value = alone.written.get(field.name);
    const isKept = (record: unknown): boolean => isStored(own.session, field, value, record);
    return alone.written.has(field.name) && isKept(alone.shown) && !isKept(made);
  });
  if (lost === undefined) return undefined;
  const shownIn = (record: unknown): string => `${lost.label} ${show(shownValue(record, lost))}`;
  const message = `${id}.create in a batch does not have the effect that it has alone`;
  return batchFailure(message, shownIn(alone.shown), shownIn(made), controls);
}

/** The finding if a creation of a batch does not store its slug, though it does so alone. */
function lostSlug({ id }: Resource, controls: Controls) {
  const slugOf = (name: string): unknown => member(controls.found.get(name), 'slug');
  const isOwn = (name: string): boolean => slugOf(name) === controls.slug(name);
  if (!isOwn(aloneOf('created')) || isOwn('created')) return undefined;
  const message = `${id}.create in a batch does not store the slug, which it does alone`;
  return batchFailure(message, show(controls.slug('created')), show(slugOf('created')), controls);
}

/** The finding if two published records of a batch share a slug. */
function sharedSlug({ id, statuses, uniqueSlugs }: Resource, controls: Controls) {
  const twins = TWINS.map((name) => controls.found.get(name));
  const [one, other] = twins.map((record) => member(record, 'slug'));
  const areOpen = twins.every((record) => member(record, 'status') === statuses?.open);
  if (uniqueSlugs !== true || !areOpen || one !== other || typeof one !== 'string') return undefined;
  const message = `published ${id} of one batch share a slug`;
  return batchFailure(message, 'two slugs, or a refusal of the second', `${show(one)} twice`, controls);
}

/** Fields that all drafts of a trial name. */
const OF_DRAFTS: ReadonlySet<string> = new Set(['title', 'content', 'status', 'slug']);

/** The finding if a creation of a batch has a value of the one before it, which its control does not have. */
function takenFromPrevious(
  own: OwnRecords,
  resource: Resource,
  controls: Controls,
  beside: BesideAlone,
): Finding | undefined {
  // Records that are made in the same second may share a date.
  const all = own
    .fieldsOf(resource.id)
    .filter(({ name, schema }) => schema.format !== 'date-time' && !OF_DRAFTS.has(name));
  const named = all.filter(({ name }) => beside.written.has(name));
  const others = all.filter((field) => !named.includes(field));
  const recordOf = (name: string): JsonObject | undefined => controls.found.get(name);
  const trials = [
    { fields: others, name: BESIDE, previous: recordOf('created'), control: beside.shown },
    { fields: named, name: TWINS[0], previous: recordOf(BESIDE), control: recordOf(aloneOf('created')) },
  ];
  for (const { fields, name, previous, control } of trials) {
    const made = recordOf(name);
    if (previous === undefined || made === undefined || control === undefined) continue;
    const isSame = (field: WritableField, one: JsonObject): boolean =>
      sameMeaning(shownValue(one, field), shownValue(made, field));
    const taken = fields.find((field) => isSame(field, previous) && !isSame(field, control));
    if (taken === undefined) continue;
    const message = `a creation in a batch takes ${taken.label} from the one before it`;
    const shownIn = (one: JsonObject): string => `${taken.label} ${show(shownValue(one, taken))}`;
    return batchFailure(message, shownIn(control), shownIn(made), controls);
  }
  return undefined;
}

/** Evaluates batches of updates of one field each, of a record in several statuses. */
async function lostUpdates(own: OwnRecords, { id, operations: { update } }: Resource): Promise<Found> {
  const [lost] = update === undefined ? [] : (await loneUpdatesOf(own, update)).lost;
  if (lost === undefined) return [];
  const { field, value, shown, answer } = lost;
  const message = `${id}.update in a batch does not have the effect that it has alone`;
  const observed = `${field.label} ${show(shownValue(shown, field))}`;
  return batchFailure(message, `${field.label} ${show(value)}`, observed, { answer });
}

async function sequence(trial: BatchTrial, sample: Resource): Promise<Found> {
  await trial.prepare('kept', 'keptalone', 'gone', 'gonealone');
  const [kept, keptAlone] = [await trial.alone('kept'), await trial.alone('keptalone')];
  const [gone, goneAlone] = [await trial.alone('gone'), await trial.alone('gonealone')];
  const { update } = sample.operations;
  const { value, empty } = update === undefined ? NO_VALUES : await setAndUnset(trial.own, update);
  const on = await switchedOn(trial.own, sample);
  const off = Object.fromEntries(Object.keys(on).map((name) => [name, false]));
  const values = { value: { ...value, ...on }, empty: { ...empty, ...off } };
  for (const { method = 'POST', path, body } of sequenceOf(trial, keptAlone, goneAlone, values)) {
    const json = body && { body: { json: trial.stated(body) } };
    const answer = await trial.own.send({ method, route: path, ...json });
    // Without force, a deletion may be refused (R21), also by a site without a trash.
    const isUsual = method === 'DELETE' && (answer.answer === 'refused' || answer.answer === 'absent');
    if (answer.answer !== 'accepted' && !isUsual) {
      throw inconclusiveAbort(`a request of the sequence is not accepted alone (${explain(answer)})`);
    }
  }
  const outcome = await trial.run('a batch', sequenceOf(trial, kept, gone, values));
  for (const pair of [['kept', 'keptalone'] as const, ['gone', 'gonealone'] as const]) {
    const difference = differenceOf(sample, outcome, pair, (name) => trial.slug(name));
    if (difference === undefined) continue;
    const message = 'a batch does not have the effect of its requests sent one after the other';
    return batchFailure(message, difference.expected, difference.observed, outcome);
  }
  return [];
}

const NO_VALUES: SetAndUnset = { value: {}, empty: {} };

/**
 * Requests that each depend on the previous ones, in an order that no order of methods has.
 * @param values fields that the first one sets, and a later one unsets
 */
function sequenceOf(
  trial: BatchTrial,
  kept: OwnRecord,
  gone: OwnRecord,
  { value, empty }: SetAndUnset,
): BatchPart[] {
  const first = { ...value, excerpt: 'first', comment_status: 'closed' };
  const third = { ...empty, content: '<p>third</p>', status: 'pending' };
  return [
    { method: 'POST', path: trial.path(kept), body: first },
    // A PUT that resets what it does not name shows in what only the first one sets.
    { method: 'PUT', path: trial.path(kept), body: { excerpt: 'second', content: '<p>second</p>' } },
    // A status takes a record out of the trash.
    { method: 'POST', path: trial.path(gone), body: { excerpt: 'to be deleted', status: 'pending' } },
    { method: 'POST', path: trial.path(kept), body: third },
    { method: 'DELETE', path: trial.path(gone) },
  ];
}

/** Evaluates batches of other checks: all of it valid, and one whose second request is not, which a site may repeat. */
async function once(trial: BatchTrial, sample: Resource): Promise<Found> {
  const { own, collection } = trial;
  const valid = await controlsOf(own, trial, sample);
  const invalid = await invalidBetween(own, new BatchTrial(own), 'normal');
  const one = [valid, invalid].find(({ repeated }) => repeated.size > 0);
  if (one === undefined) return [];
  if ((await madeAtOnce(own, collection)).length > 1) return blocked(checkId(`${collection}.create`, 'once'));
  const names = [...one.repeated].join(', ');
  return batchFailure('a batch carries out a creation twice', 'one draft of each', `two: ${names}`, one);
}

/** Fields that differ between records created one after the other. */
const DATES = ['date', 'date_gmt'] as const;
const OWN_TO_EACH: ReadonlySet<string> = new Set([...DATES, 'slug']);

/** The difference between the record of a batch and its control, whose values are expected. */
function differenceOf(
  { operations: { create } }: Resource,
  { found }: BatchOutcome,
  [batched, alone]: readonly [string, string],
  slug: (name: string) => string,
  own: ReadonlySet<string> = OWN_TO_EACH,
): { readonly expected: string; readonly observed: string; readonly field?: string } | undefined {
  const [one, other] = [found.get(batched), found.get(alone)];
  if (one === undefined || other === undefined) {
    if (one === other) return undefined;
    const [expected, observed] = other === undefined ? ['no record', 'a record'] : ['a record', 'no record'];
    return { expected, observed };
  }
  for (const field of create?.parameters ?? []) {
    const { wire } = field;
    if (own.has(wire)) continue;
    const [here, there] = [fieldText(one, field, slug(batched)), fieldText(other, field, slug(alone))];
    if (here !== there)
      return { expected: `${wire} ${there}`, observed: `${wire} ${here}`, field: field.name };
  }
  return undefined;
}

function fieldText(record: JsonObject, field: Parameter, slug: string): string {
  const { wire } = field;
  const value = rawOf(record, wire) ?? statedPart(field, record[wire]);
  return withoutSlug(value === undefined ? 'nothing' : meaningOf(value), slug);
}
