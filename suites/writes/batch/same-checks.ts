import { type JsonObject, member } from '../../../client/json.ts';
import { inconclusiveAbort, orFinding } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { meaningOf, sameMeaning } from '../../../engine/equal.ts';
import { blocked, reportedBy, show } from '../../../engine/findings.ts';
import { type OwnRecord, withoutSlug } from '../../../probing/records/own/outcome.ts';
import {
  type OwnFixture,
  ownFixture,
  roots,
  UPDATE_METHODS,
} from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { rawOf, statedPart } from '../../../probing/records/reading/record.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import type { Contract, Parameter, Resource } from '../../../specs/model.ts';
import { loneUpdatesOf } from '../fields/lone-updates.ts';
import { isStored } from '../fields/same-as-written.ts';
import { sharedRecord } from '../fields/shared-records.ts';
import { lostAlone } from '../fields/stored-checks.ts';
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

/** What a batch does with records. */
export const VERBS = ['create', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** The checks that a batch carries out some methods. */
export function methodRoots(methods: Iterable<string>): string[] {
  return [...methods].map((method) => checkId('batch', 'method', method));
}

/** Checks that a write in a batch has the effect that it has alone (R37). */
export function sameChecks(contract: Contract): BatchCheck[] {
  return batchedIn(contract).flatMap((resource) =>
    batchedVerbs(resource).map((verb) => sameCheck(resource, verb)),
  );
}

function batchedVerbs({ operations }: Resource): Verb[] {
  return VERBS.filter((verb) => operations[verb]?.batchable === true);
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
      updates.map((method) => [roots.update(id, method), checkId(id, 'alone', method)]),
      roots.untouched(resource),
      // A title names its record.
      ['title', 'date'].map((name) => [
        roots.stored(`${resource.id}.create`, name),
        roots.stored(`${resource.id}.update`, name, 'POST'),
      ]),
      verb === 'create' && checkId('slugs', resource.id, 'unique'),
      verb === 'update' && checkId('batch', 'order'),
      verb === 'delete' && [checkId('batch', 'query'), checkId('states', resource.id, 'trash')],
    ],
    needs: [checkId(id, 'batch-mark'), methodRoots(methods)],
    run: async ({ own }) => {
      const unlike = await unlikeAlone(own, resource, verb);
      return unlike === undefined ? [] : ((await reportedBefore(own, id, unlike)) ?? unlike.finding);
    },
  };
}

/** What a batch does otherwise than the same requests alone. */
interface Unlike {
  readonly finding: Finding;
  /** The field that differs, or the record that is not deleted as alone: the same elsewhere has the same cause. */
  readonly what?: string;
}

/** What a batch of creations, updates or deletions does otherwise, evaluated once. */
const unlikeAlone: OwnFixture<Unlike | undefined, [resource: Resource, verb: Verb]> = ownFixture(
  'batch same',
  async (own, resource, verb) => {
    const controls = await controlsOf(own, new BatchTrial(own, resource.id), resource);
    const found = await evaluateSame(own, resource, verb, controls);
    if (found !== undefined || verb === 'delete') return found;
    return verb === 'create' ? furtherCreations(own, resource, controls) : lostUpdates(own, resource);
  },
  ({ id }, verb) => [id, verb],
);

/** The resources whose records batches write. */
function batchedIn(contract: Contract): Resource[] {
  return describedCollections(contract).filter(({ kind }) => kind === 'records');
}

/** The finding if an earlier check of the same kind reports the same: a batch loses a field of all writes alike. */
async function reportedBefore(
  own: OwnRecords,
  id: string,
  { finding, what }: Unlike,
): Promise<Finding | undefined> {
  if (what === undefined || finding.kind !== 'failure') return undefined;
  for (const resource of batchedIn(own.contract)) {
    for (const verb of batchedVerbs(resource)) {
      const earlier = `${resource.id}.${verb}`;
      if (earlier === id) return undefined;
      if (await loses(own, resource, verb, what)) return reportedBy(sameId(earlier));
    }
  }
  return undefined;
}

const sameId = (operation: string): string => checkId('batch', 'same', operation);

/** Whether the check of a kind of write reports that a batch loses a field, which then no refusal can name. */
async function loses(own: OwnRecords, resource: Resource, verb: Verb, what: string): Promise<boolean> {
  if (!own.session.runs(sameId(`${resource.id}.${verb}`))) return false;
  const unlike = await orFinding(unlikeAlone(own, resource, verb));
  return (
    unlike !== undefined && 'what' in unlike && unlike.finding.kind === 'failure' && unlike.what === what
  );
}

/** The check that reports that creations of a batch lose a field; undefined if none does. */
export async function reportOfLost(
  own: OwnRecords,
  collection: string,
  field: string,
): Promise<string | undefined> {
  const resource = batchedIn(own.contract).find(({ id }) => id === collection);
  const isLost = resource !== undefined && (await loses(own, resource, 'create', field));
  return isLost ? sameId(`${collection}.create`) : undefined;
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
): Promise<Unlike | undefined> {
  const id = `${resource.id}.${verb}`;
  const names = {
    create: ['created'],
    update: methodsOf(resource).map(updatedBy),
    delete: DELETED_DRAFTS,
  }[verb];
  for (const name of names) {
    if (isRefusedAlone(id, verb, name, controls)) continue;
    const control = verb === 'update' ? UPDATED_ALONE : aloneOf(name);
    const ownOnes = ownToEach(verb, controls);
    const difference = differenceOf(resource, controls, [name, control], controls.slug, ownOnes);
    if (difference === undefined) continue;
    const { expected, observed, field } = difference;
    const lost = field && (await lostBy(own, resource, field, name));
    if (lost !== undefined) return { finding: blocked(lost) };
    const finding = batchFailure(otherEffect(resource, id, name), expected, observed, controls);
    return { finding, what: field ?? name };
  }
  return undefined;
}

/** Whether a deletion is refused alone, as it may be without force (R21) or with a body. @throws for other requests */
function isRefusedAlone(id: string, verb: Verb, name: string, controls: Controls): boolean {
  const refused = controls.refused[verb === 'delete' ? name : verb];
  if (refused === undefined || (verb === 'delete' && name !== 'deletedbyquery')) return refused !== undefined;
  throw inconclusiveAbort(`${id} is not accepted alone (${refused})`);
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
async function furtherCreations(
  own: OwnRecords,
  resource: Resource,
  controls: Controls,
): Promise<Unlike | undefined> {
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
function lostBeside(
  own: OwnRecords,
  { id }: Resource,
  controls: Controls,
  alone: BesideAlone,
): Unlike | undefined {
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
  const finding = batchFailure(message, shownIn(alone.shown), shownIn(made), controls);
  return { finding, what: parameterOf(lost) };
}

/** The finding if a creation of a batch does not store its slug, though it does so alone. */
function lostSlug({ id }: Resource, controls: Controls): Unlike | undefined {
  const slugOf = (name: string): unknown => member(controls.found.get(name), 'slug');
  const isOwn = (name: string): boolean => slugOf(name) === controls.slug(name);
  if (!isOwn(aloneOf('created')) || isOwn('created')) return undefined;
  const message = `${id}.create in a batch does not store the slug, which it does alone`;
  const [expected, observed] = [show(controls.slug('created')), show(slugOf('created'))];
  return { finding: batchFailure(message, expected, observed, controls), what: 'slug' };
}

/** The finding if two published records of a batch share a slug. */
function sharedSlug({ id, statuses, uniqueSlugs }: Resource, controls: Controls): Unlike | undefined {
  const twins = TWINS.map((name) => controls.found.get(name));
  const [one, other] = twins.map((record) => member(record, 'slug'));
  const areOpen = twins.every((record) => member(record, 'status') === statuses?.open);
  if (uniqueSlugs !== true || !areOpen || one !== other || typeof one !== 'string') return undefined;
  const message = `published ${id} of one batch share a slug`;
  const expected = 'two slugs, or a refusal of the second';
  return { finding: batchFailure(message, expected, `${show(one)} twice`, controls) };
}

/** Fields that all drafts of a trial name. */
const OF_DRAFTS: ReadonlySet<string> = new Set(['title', 'content', 'status', 'slug']);

/** The finding if a creation of a batch has a value of the one before it, which its control does not have. */
function takenFromPrevious(
  own: OwnRecords,
  resource: Resource,
  controls: Controls,
  beside: BesideAlone,
): Unlike | undefined {
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
    return { finding: batchFailure(message, shownIn(control), shownIn(made), controls) };
  }
  return undefined;
}

/** Evaluates batches of updates of one field each, of a record in several statuses. */
async function lostUpdates(
  own: OwnRecords,
  { id, operations: { update } }: Resource,
): Promise<Unlike | undefined> {
  const [lost] = update === undefined ? [] : (await loneUpdatesOf(own, update)).lost;
  if (lost === undefined) return undefined;
  const { field, value, shown, answer } = lost;
  const message = `${id}.update in a batch does not have the effect that it has alone`;
  const observed = `${field.label} ${show(shownValue(shown, field))}`;
  const finding = batchFailure(message, `${field.label} ${show(value)}`, observed, { answer });
  return { finding, what: parameterOf(field) };
}

/** The parameter of a field, which may be one key of several. */
const parameterOf = ({ name }: WritableField): string => name.split('/')[0] ?? name;

/** Fields that differ between records created one after the other. */
const DATES = ['date', 'date_gmt'] as const;
const OWN_TO_EACH: ReadonlySet<string> = new Set([...DATES, 'slug']);

/** The difference between the record of a batch and its control, whose values are expected. */
export function differenceOf(
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
