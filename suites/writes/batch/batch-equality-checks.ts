import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { NOWHERE } from '../../../client/ownership.ts';
import { checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, describe, explain, inconclusiveAbort } from '../../../engine/findings.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import {
  storedRoot,
  UPDATE_METHODS,
  updateMethodsOf,
  updateRoot,
} from '../../../probing/records/own/own-check.ts';
import { ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, creationFields, switchesIn } from '../../../probing/records/own/writable-fields.ts';
import { NO_ID, rawOf } from '../../../probing/records/reading/record.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { combinedValues, creationOf } from '../fields/field-values.ts';
import { type SetAndUnset, setAndUnset } from '../fields/stored-checks.ts';
import { madeAtOnce } from '../fields/update-checks.ts';
import {
  type BatchCheck,
  type BatchOutcome,
  BatchTrial,
  batchFailure,
  differenceOf,
  runBeside,
} from './batch-trial.ts';
import { type SwitchingBatch, switchedOn } from './switch-checks.ts';
import { unmarkedChecks } from './unmarked-checks.ts';

const VERBS = ['create', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];
const CREATED = { excerpt: 'made', status: 'pending' };
const UPDATED = { content: '<p>changed</p>', excerpt: 'changed' };

const UPDATED_ALONE = 'updatedalone';

const updatedBy = (method: string): string => `updatedby${method.toLowerCase()}`;

function methodsOf({ operations: { update } }: Resource) {
  return update === undefined ? [] : updateMethodsOf(update);
}

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
      ...updates.map((method) => updateRoot(id, method)),
      // A title names its record.
      ...['title', 'date'].flatMap((name) => [
        storedRoot(`${resource.id}.create`, name),
        storedRoot(`${resource.id}.update`, name, 'POST'),
      ]),
      ...(verb === 'delete' ? [checkId('batch', 'query')] : []),
    ],
    needs: [checkId(id, 'batch-mark'), ...methodRoots(methods)],
    run: async (trial) => evaluate(resource, verb, await controlsOf(trial.own, trial, resource)),
  };
}

/** The records after a batch and after the same requests alone, and the requests that were not accepted alone. */
interface Controls extends BatchOutcome {
  /** Whether the creation and the updates wrote a date, so that records are to have the same one. */
  readonly areDated: boolean;
  readonly slug: (name: string) => string;
  readonly refused: Readonly<Partial<Record<string, string>>>;
}

const controlsOf = ownFixture(
  'batch controls',
  (_, trial: BatchTrial, resource: Resource) => createTwo(trial, resource),
  (_, { id }) => [id],
);

async function createTwo(trial: BatchTrial, resource: Resource): Promise<Controls> {
  const { own } = trial;
  const fields = { ...CREATED, ...resource.unusual, ...(await allFields(own, resource, 0)) };
  const changes = { ...UPDATED, ...resource.unusual, ...(await allFields(own, resource, 1)) };
  const methods = methodsOf(resource);
  await trial.prepare(...methods.map(updatedBy), UPDATED_ALONE, ...DELETED, ...DELETED.map(aloneOf));
  const updatedAlone = await trial.alone(UPDATED_ALONE);
  const { created } = await trial.create('createdalone', fields);
  const answers: Record<string, Observation> = {
    create: created,
    update: await own.update(updatedAlone, changes),
  };
  const parts: BatchPart[] = [trial.draft('created', fields)];
  for (const method of methods) {
    const path = trial.path(await trial.alone(updatedBy(method)));
    parts.push({ method, path, body: changes });
  }
  for (const name of DELETED) {
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

const DELETED = ['deleted', 'deletedbyquery', 'trashed'] as const;

/** How a part says `force`: the text `false` in a query is no deletion for good either. */
const FORCE: Readonly<Record<(typeof DELETED)[number], (path: string) => BatchPart>> = {
  deleted: (path) => ({ path, body: { force: true } }),
  deletedbyquery: (path) => ({ path: `${path}?force=true` }),
  trashed: (path) => ({ path: `${path}?force=false` }),
};

const aloneOf = (name: string): string => `${name}alone`;

/** Values of all kinds that a creation takes together; none if it takes fewer. Titles and slugs name the records. */
async function allFields(own: OwnRecords, { id }: Resource, round: number): Promise<JsonObject> {
  if (!('id' in (await creationOf(own, id, 'main')))) return {};
  const all = creationFields(own.session.contract, id);
  // Of switches that are written at the same time, real software may lose some.
  const switches = switchesIn(all);
  const fields = all.filter((field) => !NAMED.has(field.name) && !switches.includes(field));
  return bodyOf(fields, await combinedValues(own, id, fields, round));
}

const NAMED: ReadonlySet<string> = new Set(['slug', 'title', 'status']);
/** What differs even between records with the same date. */
const SLUG: ReadonlySet<string> = new Set(['slug']);

function evaluate(resource: Resource, verb: Verb, controls: Controls): Found {
  const id = `${resource.id}.${verb}`;
  const names = {
    create: ['created'],
    update: methodsOf(resource).map(updatedBy),
    delete: DELETED,
  }[verb];
  for (const name of names) {
    const refused = controls.refused[verb === 'delete' ? name : verb];
    // Without force (R21) or with a body a deletion may be refused.
    if (refused !== undefined && verb === 'delete' && name !== 'deletedbyquery') continue;
    if (refused !== undefined) throw inconclusiveAbort(`${id} is not accepted alone (${refused})`);
    const control = verb === 'update' ? UPDATED_ALONE : aloneOf(name);
    const own = controls.areDated && verb !== 'delete' ? SLUG : undefined;
    const difference = differenceOf(resource, controls, [name, control], controls.slug, own);
    if (difference === undefined) continue;
    const method = methodsOf(resource).find((one) => one !== 'POST' && updatedBy(one) === name);
    const message =
      method === undefined
        ? `${id} in a batch does not have the effect that it has alone`
        : `${id} by ${method} in a batch does not have the effect that it has by POST alone`;
    return batchFailure(message, ...difference, controls);
  }
  return [];
}

async function sequence(trial: BatchTrial, sample: Resource): Promise<Found> {
  await trial.prepare('kept', 'keptalone', 'gone', 'gonealone');
  const [kept, keptAlone] = [await trial.alone('kept'), await trial.alone('keptalone')];
  const [gone, goneAlone] = [await trial.alone('gone'), await trial.alone('gonealone')];
  const { update } = sample.operations;
  const values = update === undefined ? { value: {}, empty: {} } : await setAndUnset(trial.own, update);
  for (const { method = 'POST', path, body } of sequenceOf(trial, keptAlone, goneAlone, values)) {
    const json = body && { body: { json: trial.stated(body) } };
    const answer = await trial.own.send({ method, route: path, ...json });
    // Without force, a deletion may be refused (R21).
    const isUsual = answer.answer === 'refused' && method === 'DELETE';
    if (answer.answer !== 'accepted' && !isUsual) {
      throw inconclusiveAbort(`a request of the sequence is not accepted alone (${explain(answer)})`);
    }
  }
  const outcome = await trial.run('a batch', sequenceOf(trial, kept, gone, values));
  for (const pair of [['kept', 'keptalone'] as const, ['gone', 'gonealone'] as const]) {
    const difference = differenceOf(sample, outcome, pair, (name) => trial.slug(name));
    if (difference === undefined) continue;
    const message = 'a batch does not have the effect of its requests sent one after the other';
    return batchFailure(message, ...difference, outcome);
  }
  return [];
}

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
    { method: 'PATCH', path: trial.path(kept), body: { excerpt: 'second', content: '<p>second</p>' } },
    // A status takes a record out of the trash.
    { method: 'POST', path: trial.path(gone), body: { excerpt: 'to be deleted', status: 'pending' } },
    { method: 'PUT', path: trial.path(kept), body: third },
    { method: 'DELETE', path: trial.path(gone) },
  ];
}

const INVALID = { status: 'not-a-status' };
const CHANGED = 'changed beside it';

/** Checks how one invalid request affects the others of its batch (§4.2, R37). */
function validationChecks(sample: Resource): BatchCheck[] {
  return [
    {
      word: 'normal',
      title: 'under normal validation an invalid request leaves the others of its batch alone',
      run: (trial) => oneInvalid(trial, 'normal'),
    },
    {
      word: 'validation-default',
      kind: 'defaults',
      title: 'without a validation an invalid request leaves the others of its batch alone',
      basis: 'stated',
      needs: [checkId('batch', 'normal')],
      run: (trial) => oneInvalid(trial, undefined),
    },
    {
      word: 'require-all-validate',
      title: 'under require-all-validate nothing is carried out when one request is invalid',
      run: ({ own }) => allOrNothing(own, sample),
    },
    {
      word: 'unknown-path',
      title: 'a request to an unknown path leaves the others of its batch alone',
      needs: [checkId('batch', 'normal')],
      run: (trial) => evaluatePaths(trial, [NOWHERE]),
    },
    {
      word: 'outside-path',
      title: 'a request to a path outside the interface leaves the others of its batch alone',
      needs: [checkId('batch', 'normal')],
      run: (trial) => evaluatePaths(trial, [`https://example.org${NOWHERE}`, NOWHERE.slice(1)]),
    },
  ];
}

async function oneInvalid(trial: BatchTrial, validation: string | undefined): Promise<Found> {
  const { what, ...outcome } = await invalidBetween(trial.own, trial, validation);
  return validatesStatus(trial, outcome) ?? expectBoth(what, 'an invalid request', outcome);
}

const invalidBetween = ownFixture(
  'batch with an invalid request',
  async (_, trial: BatchTrial, validation: string | undefined) => {
    const what =
      validation === undefined ? 'a batch without a validation' : `a batch with ${validation} validation`;
    const parts = [
      trial.draft('before'),
      trial.draft('invalid', INVALID),
      // Only carrying it out shows that it names nobody.
      trial.draft('nobodys', { author: NO_ID }),
      trial.draft('after'),
    ];
    return { what, ...(await trial.run(what, parts, validation)) };
  },
  (_, validation) => [validation],
);

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

const ALL = 'require-all-validate';

const validTogether = ownFixture(
  'batch in which all is valid',
  async (own, resource: Resource, _turn: number) => {
    const trial = new BatchTrial(own, resource.id);
    const on = await switchedOn(own, resource);
    const drafts = [trial.draft('one', on), trial.draft('two', on)];
    return { trial, outcome: await trial.run(`a batch with ${ALL}`, drafts, ALL) };
  },
  ({ id }, turn) => [id, turn],
);

/** The drafts that one batch created. */
export const switchedByCreations: SwitchingBatch = async (own, resource, turn) => ({
  ...(await validTogether(own, resource, turn)),
  names: ['one', 'two'],
});

async function allOrNothing(own: OwnRecords, sample: Resource): Promise<Found> {
  const mode = ALL;
  const { trial, outcome: valid } = await validTogether(own, sample, 0);
  const [one, two] = [trial.recordOf('one'), trial.recordOf('two')];
  if (one === undefined || two === undefined) {
    const message = `${mode} does not carry out a batch in which all is valid`;
    return batchFailure(message, 'two drafts', 'fewer', valid);
  }
  const invalid = await trial.run(
    `a batch with ${mode}`,
    [
      trial.draft('before'),
      { method: 'PATCH', path: trial.path(one), body: { excerpt: CHANGED } },
      trial.draft('invalid', INVALID),
      { method: 'DELETE', path: trial.path(two), body: { force: true } },
      trial.draft('after'),
    ],
    mode,
  );
  const broken = validatesStatus(trial, invalid);
  if (broken !== undefined) return broken;
  const { found } = invalid;
  const done = [
    ...['before', 'after'].filter((name) => found.has(name)).map((name) => `a creation ${name} it`),
    ...(rawOf(found.get('one'), 'excerpt') === CHANGED ? ['an update before it'] : []),
    ...(found.has('two') ? [] : ['a deletion after it']),
  ];
  if (done.length === 0) return [];
  const message = `${mode} carries out other requests than the invalid one: ${done.join(', ')}`;
  return batchFailure(message, 'the drafts as they were', done.join(', '), invalid);
}

async function evaluatePaths(trial: BatchTrial, paths: readonly string[]): Promise<Found> {
  const what = `a batch with a request to ${paths.join(' and ')}`;
  const requests = paths.map((path) => ({ method: 'POST' as const, path }));
  const outcome = await trial.run(what, [trial.draft('before'), ...requests, trial.draft('after')], 'normal');
  return expectBoth(what, 'that request', outcome);
}

/** The finding for a site that stores an invalid status, which another check reports; undefined otherwise. */
function validatesStatus(trial: BatchTrial, { found }: BatchOutcome): Finding[] | undefined {
  if (!found.has('invalid')) return undefined;
  return [blocked(checkId(`${trial.collection}.create`, 'status', 'enum', 'enforced'))];
}

function expectBoth(what: string, culprit: string, outcome: BatchOutcome): Found {
  const lost = ['before', 'after'].filter((name) => !outcome.found.has(name));
  if (lost.length === 0) return [];
  const message = `${what} does not carry out the requests ${lost.join(' and ')} ${culprit}`;
  return batchFailure(message, 'two drafts', `${2 - lost.length} of the drafts`, outcome);
}
