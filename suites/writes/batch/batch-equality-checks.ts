import type { JsonObject } from '../../../client/json.ts';
import { cannotTell } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { fixture } from '../../../engine/fixture.ts';
import { describe } from '../../../engine/probe.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import { findingRoots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecord } from '../../../probing/records/own/own-records.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { describedCollections } from '../../../specs/find-resource.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { type BatchCheck, type BatchOutcome, type BatchTrial, batchFailure } from './batch-trial.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const VERBS = ['create', 'update', 'delete'] as const;
/** Fields that two records written one after the other do not share. */
const OWN_TO_EACH: ReadonlySet<string> = new Set(['date', 'date_gmt', 'slug']);
const CREATED = { excerpt: 'made', status: 'pending' };
const UPDATED = { content: '<p>changed</p>', excerpt: 'changed' };

/**
 * Checks that every write that a batch may hold has the effect that it has alone (R37), and that a batch has the effect
 * of its requests sent one after the other: by controls, one for the batch and one for single requests.
 */
export function batchEqualityChecks(contract: Contract, sample: Resource): BatchCheck[] {
  const batched = describedCollections(contract).filter(({ kind }) => kind === 'records');
  const single = batched.flatMap((resource) =>
    VERBS.filter((verb) => resource.operations[verb]?.batchable === true).map((verb) =>
      sameCheck(resource, verb),
    ),
  );
  return [
    ...single,
    {
      word: 'sequence',
      title: 'a batch has the effect of its requests sent one after the other',
      needs: [
        ...METHODS.map((method) => checkId('batch', 'method', method)),
        checkId('batch', 'order'),
        ...VERBS.map((verb) => checkId('batch', 'same', `${sample.id}.${verb}`)),
      ],
      run: (trial) => sequence(trial, sample),
    },
  ];
}

function sameCheck(resource: Resource, verb: (typeof VERBS)[number]): BatchCheck {
  const { id: collection } = resource;
  const id = `${collection}.${verb}`;
  return {
    word: `same/${id}`,
    title: `${id} in a batch has the effect that it has alone`,
    collection,
    after: findingRoots(resource),
    needs: [checkId(id, 'batch-mark'), checkId('batch', 'method', verb === 'delete' ? 'DELETE' : 'POST')],
    async run(trial) {
      return judge(resource, verb, await controlsOf(trial.session, trial, resource));
    },
  };
}

/** What the site holds after a batch and the same requests alone, and the requests that were not accepted alone. */
interface Controls extends BatchOutcome {
  readonly slug: (name: string) => string;
  readonly refused: Readonly<Partial<Record<(typeof VERBS)[number], string>>>;
}

const controlsOf = fixture(
  'batch controls',
  (_, trial: BatchTrial, resource: Resource) => makeTwins(trial, resource),
  (_, { id }) => [id],
);

async function makeTwins(trial: BatchTrial, { unusual }: Resource): Promise<Controls> {
  const { group, own } = trial;
  const fields = { ...CREATED, ...unusual };
  const changes = { ...UPDATED, ...unusual };
  const [updated, updatedAlone] = [await trial.alone('updated'), await trial.alone('updatedalone')];
  const [deleted, deletedAlone] = [await trial.alone('deleted'), await trial.alone('deletedalone')];
  const created = await group.alone('createdalone', fields);
  const answers = {
    create: 'id' in created ? created.created : created.refused,
    update: await own.update(updatedAlone, changes),
    delete: await own.remove(deletedAlone, true),
  };
  const outcome = await trial.run('a batch of a creation, an update and a deletion', [
    group.draft('created', fields),
    { method: 'POST', path: trial.path(updated), body: changes },
    { method: 'DELETE', path: trial.path(deleted), body: { force: true } },
  ]);
  const refused = Object.fromEntries(
    Object.entries(answers)
      .filter(([, { answer }]) => answer !== 'accepted')
      .map(([verb, answer]) => [verb, describe(answer)]),
  );
  return { ...outcome, slug: (name) => group.slug(name), refused };
}

function judge(resource: Resource, verb: (typeof VERBS)[number], controls: Controls): Finding[] {
  const { id: collection } = resource;
  const refused = controls.refused[verb];
  if (refused !== undefined) throw cannotTell(`${collection}.${verb} is not accepted alone (${refused})`);
  const pair = [`${verb}d`, `${verb}dalone`] as const;
  const difference = differenceOf(resource, controls, pair, controls.slug);
  if (difference === undefined) return [];
  const message = `${collection}.${verb} in a batch does not have the effect that it has alone`;
  return [batchFailure(message, ...difference, controls)];
}

/** What the record of a batch and its control differ in; the control's is expected. */
function differenceOf(
  { operations: { create } }: Resource,
  { found }: BatchOutcome,
  [batched, alone]: readonly [string, string],
  slug: (name: string) => string,
): [expected: string, observed: string] | undefined {
  const [one, other] = [found.get(batched), found.get(alone)];
  if (one === undefined || other === undefined) {
    if (one === other) return undefined;
    return other === undefined ? ['no record', 'a record'] : ['a record', 'no record'];
  }
  for (const { wire } of create?.parameters ?? []) {
    if (OWN_TO_EACH.has(wire)) continue;
    const [here, there] = [fieldText(one, wire, slug(batched)), fieldText(other, wire, slug(alone))];
    if (here !== there) return [`${wire} ${there}`, `${wire} ${here}`];
  }
  return undefined;
}

/** A field as text, without the words that tell the controls apart; what is rendered of it is not compared. */
function fieldText(record: JsonObject, name: string, slug: string): string {
  const text = JSON.stringify(rawOf(record, name) ?? record[name]) ?? 'nothing';
  return text.replaceAll(slug, 'SLUG');
}

async function sequence(trial: BatchTrial, sample: Resource): Promise<Finding[]> {
  const { session } = trial;
  const [kept, keptAlone] = [await trial.alone('kept'), await trial.alone('keptalone')];
  const [gone, goneAlone] = [await trial.alone('gone'), await trial.alone('gonealone')];
  for (const part of sequenceOf(trial, keptAlone, goneAlone)) {
    const answer = await session.client.request({
      method: part.method ?? 'POST',
      route: part.path,
      body: { json: trial.group.stated(part.body ?? {}) },
      as: 'user',
      intent: 'own-record',
    });
    if (answer.answer !== 'accepted') {
      throw cannotTell(`a request of the sequence is not accepted alone (${describe(answer)})`);
    }
  }
  const outcome = await trial.run('a batch', sequenceOf(trial, kept, gone));
  for (const pair of [['kept', 'keptalone'] as const, ['gone', 'gonealone'] as const]) {
    const difference = differenceOf(sample, outcome, pair, (name) => trial.group.slug(name));
    if (difference === undefined) continue;
    const message = 'a batch does not have the effect of its requests sent one after the other';
    return [batchFailure(message, ...difference, outcome)];
  }
  return [];
}

/** Requests of which each relies on the ones before it. */
function sequenceOf(trial: BatchTrial, kept: OwnRecord, gone: OwnRecord): BatchPart[] {
  return [
    { method: 'POST', path: trial.path(kept), body: { excerpt: 'first', comment_status: 'closed' } },
    { method: 'PATCH', path: trial.path(kept), body: { excerpt: 'second' } },
    { method: 'POST', path: trial.path(gone), body: { excerpt: 'to be deleted' } },
    { method: 'PUT', path: trial.path(kept), body: { content: '<p>third</p>', status: 'pending' } },
    { method: 'DELETE', path: trial.path(gone), body: { force: true } },
  ];
}
