import type { JsonObject } from '../../../client/json.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { cannotTell } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';
import type { Contract } from '../../../specs/model.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import type { OwnRecord } from '../../records/own/own-records.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchTrial, batchFailure, type Outcome } from './batch-trial.ts';

type Records = 'posts' | 'pages';
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const VERBS = ['create', 'update', 'delete'] as const;
/** Fields that two records written one after the other do not share. */
const OWN_TO_EACH: ReadonlySet<string> = new Set(['date', 'date_gmt', 'slug']);
const CREATED = { excerpt: 'made', status: 'pending' };
/** What is written beside that: other values than a new record usually has. */
const BESIDE = {
  posts: { comment_status: 'closed', format: 'aside' },
  pages: { comment_status: 'open', menu_order: 3 },
} as const;
const UPDATED = { content: '<p>changed</p>', excerpt: 'changed' };

/**
 * Checks that every write that a batch may hold has the effect that it has alone (R37), and that a batch has the effect
 * of its requests sent one after the other: by twins, one for the batch and one for single requests.
 */
export function batchEqualityChecks(contract: Contract): Check[] {
  const has = (id: string): boolean => contract.operations.some((operation) => operation.id === id);
  const single = (['posts', 'pages'] as const).flatMap((collection) =>
    VERBS.filter((verb) => has(`${collection}.${verb}`)).map((verb) => sameCheck(contract, collection, verb)),
  );
  return [
    ...single,
    batchCheck({
      word: 'sequence',
      title: 'a batch has the effect of its requests sent one after the other',
      basis: 'implied',
      dependsOn: [
        ...METHODS.map((method) => `batch/method/${method}`),
        'batch/order',
        ...single.map(({ id }) => id).filter((id) => id.includes('/posts.')),
      ],
      run: sequence,
    }),
  ];
}

function sameCheck(contract: Contract, collection: Records, verb: (typeof VERBS)[number]): Check {
  const id = `${collection}.${verb}`;
  return batchCheck({
    word: `same/${id}`,
    title: `${id} in a batch has the effect that it has alone`,
    basis: 'implied',
    collection,
    dependsOn: [`${id}/batch-mark`, `batch/method/${verb === 'delete' ? 'DELETE' : 'POST'}`],
    async run(trial) {
      const twins = await trial.session.once(`batch twins ${collection}`, () => makeTwins(trial, collection));
      return judge(contract, collection, verb, twins);
    },
  });
}

/** What the site holds after a batch and the same requests alone, and the requests that were not accepted alone. */
interface Twins extends Outcome {
  readonly slug: (name: string) => string;
  readonly refused: Readonly<Partial<Record<(typeof VERBS)[number], string>>>;
}

async function makeTwins(trial: BatchTrial, collection: Records): Promise<Twins> {
  const { group, own } = trial;
  const fields = { ...CREATED, ...BESIDE[collection] };
  const changes = { ...UPDATED, ...BESIDE[collection] };
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

function judge(
  contract: Contract,
  collection: Records,
  verb: (typeof VERBS)[number],
  twins: Twins,
): Finding[] {
  const refused = twins.refused[verb];
  if (refused !== undefined) throw cannotTell(`${collection}.${verb} is not accepted alone (${refused})`);
  const pair = [`${verb}d`, `${verb}dalone`] as const;
  const difference = differenceOf(contract, collection, twins, pair, twins.slug);
  if (difference === undefined) return [];
  const message = `${collection}.${verb} in a batch does not have the effect that it has alone`;
  return [batchFailure(message, ...difference, twins)];
}

/** What the record of a batch and its twin differ in; the twin's is expected. */
function differenceOf(
  contract: Contract,
  collection: Records,
  { found }: Outcome,
  [batched, alone]: readonly [string, string],
  slug: (name: string) => string,
): [expected: string, observed: string] | undefined {
  const [one, other] = [found.get(batched), found.get(alone)];
  if (one === undefined || other === undefined) {
    if (one === other) return undefined;
    return other === undefined ? ['no record', 'a record'] : ['a record', 'no record'];
  }
  const fields = contract.operations.find(({ id }) => id === `${collection}.create`)?.parameters ?? [];
  for (const { wire } of fields) {
    if (OWN_TO_EACH.has(wire)) continue;
    const [here, there] = [fieldText(one, wire, slug(batched)), fieldText(other, wire, slug(alone))];
    if (here !== there) return [`${wire} ${there}`, `${wire} ${here}`];
  }
  return undefined;
}

/** A field as text, without the words that tell the twins apart; what is rendered of it is not compared. */
function fieldText(record: JsonObject, name: string, slug: string): string {
  const text = JSON.stringify(rawOf(record, name) ?? record[name]) ?? 'nothing';
  return text.replaceAll(slug, 'SLUG');
}

async function sequence(trial: BatchTrial): Promise<Finding[]> {
  const { session } = trial;
  const [kept, keptAlone] = [await trial.alone('kept'), await trial.alone('keptalone')];
  const [gone, goneAlone] = [await trial.alone('gone'), await trial.alone('gonealone')];
  for (const part of sequenceOf(trial, keptAlone, goneAlone)) {
    const answer = await session.client.request({
      method: part.method ?? 'POST',
      route: part.path,
      body: { json: part.body },
      as: 'user',
      intent: 'own-record',
    });
    if (answer.answer !== 'accepted') {
      throw cannotTell(`a request of the sequence is not accepted alone (${describe(answer)})`);
    }
  }
  const outcome = await trial.run('a batch', sequenceOf(trial, kept, gone));
  for (const pair of [['kept', 'keptalone'] as const, ['gone', 'gonealone'] as const]) {
    const difference = differenceOf(session.contract, 'posts', outcome, pair, (name) =>
      trial.group.slug(name),
    );
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
