import type { JsonObject } from '../../../client/json.ts';
import { NOWHERE } from '../../../client/ownership.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { checkId, type Found } from '../../../engine/check.ts';
import { blocked } from '../../../engine/findings.ts';
import { refusedValues } from '../../../generators/constraint-values.ts';
import { type BatchPart, MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { isText, type WritableField, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { NO_ID, rawOf } from '../../../probing/records/reading/record.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import type { Resource } from '../../../specs/model.ts';
import { constraintsOf } from '../../../specs/schema.ts';
import { type BatchCheck, type BatchOutcome, BatchTrial, batchFailure, letterOf } from './batch-trial.ts';
import { type SwitchingBatch, switchedOn } from './method-checks.ts';
import { reportOfLost } from './same-checks.ts';

const INVALID = { status: 'not-a-status' };
const CHANGED = 'changed beside it';

/** Checks how one invalid request affects the others of its batch (§4.2, R37). */
export function validationChecks(sample: Resource): BatchCheck[] {
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
      run: (trial) => evaluatePaths(trial, UNKNOWN_PATHS),
    },
    {
      word: 'outside-path',
      title: 'a request to a path outside the interface leaves the others of its batch alone',
      needs: [checkId('batch', 'normal')],
      run: (trial) => evaluatePaths(trial, OUTSIDE),
    },
  ];
}

async function oneInvalid(trial: BatchTrial, validation: string | undefined): Promise<Found> {
  const { what, invalid, ...outcome } = await invalidBetween(trial.own, trial, validation);
  for (const { label, field, enforced, ...part } of invalid) {
    if (!outcome.found.has(part.name)) continue;
    if (await isTakenAlone(trial, part)) return blocked(enforced);
    // A batch that loses a field cannot refuse it.
    const lost = await reportOfLost(trial.own, trial.collection, field);
    if (lost !== undefined) return blocked(lost);
    const how = part.path === undefined ? 'a creation' : 'an update';
    const message = `a batch carries out ${how} with an invalid ${label}, which is refused without a batch`;
    return batchFailure(message, 'no draft with its title', 'the draft', outcome);
  }
  return expectBoth(what, 'an invalid request', outcome);
}

async function isTakenAlone(
  trial: BatchTrial,
  { name, body, path }: Pick<InvalidPart, 'name' | 'body' | 'path'>,
) {
  if (path === undefined) return 'id' in (await trial.create(`${name}alone`, body));
  const { answer } = await trial.own.send({
    method: 'POST',
    route: path,
    body: { json: trial.update(name, path, body).body },
  });
  return answer === 'accepted';
}

interface InvalidPart {
  readonly name: string;
  readonly body: JsonObject;
  readonly field: string;
  readonly label: string;
  /** The check that such a write is refused alone. */
  readonly enforced: string;
  /** The record of an update. */
  readonly path?: string;
}

/** Writes with one invalid value each: of every field that has a word, a form or a type which must be enforced. */
function invalidParts(fields: readonly WritableField[], word: string, path?: string): InvalidPart[] {
  return fields
    .filter((field) => field.key === undefined && !isText(field) && field.name !== 'status')
    .flatMap((field, at) => {
      const [refused] = constraintsOf(field.schema, false)
        .filter(({ kind }) => ENFORCED.has(kind))
        .flatMap(({ kind, ...one }) =>
          refusedValues(field.schema, { kind, ...one }).map(({ value }) => ({ kind, value })),
        )
        // A structure in place of a text makes servers fail, which other checks report.
        .filter(({ value }) => typeof value !== 'object');
      if (refused === undefined) return [];
      const enforced = checkId(field.operation.id, field.name, refused.kind, 'enforced');
      const body = { [field.wire]: refused.value };
      const { name, label } = field;
      return [{ name: `${word}${letterOf(at)}`, body, field: name, label, enforced, ...(path && { path }) }];
    })
    .slice(0, MOST_PARTS / 2);
}

const ENFORCED: ReadonlySet<string> = new Set(['enum', 'format', 'type']);

/** A batch with invalid creations between two valid ones, once for each validation. */
export const invalidBetween: OwnFixture<
  BatchOutcome & { readonly what: string; readonly invalid: readonly InvalidPart[] },
  [trial: BatchTrial, validation: string | undefined]
> = ownFixture(
  'batch with an invalid request',
  async (own, trial, validation) => {
    const what =
      validation === undefined ? 'a batch without a validation' : `a batch with ${validation} validation`;
    const enforced = checkId(`${trial.collection}.create`, 'status', 'enum', 'enforced');
    const ofStatus = { name: 'invalid', body: INVALID, field: 'status', label: 'status', enforced };
    const run = async (one: BatchTrial, invalid: readonly InvalidPart[]) => {
      const parts = [
        one.draft('before'),
        ...invalid.map(({ name, body, path }) =>
          path === undefined ? one.draft(name, body) : one.update(name, path, body),
        ),
        // Only carrying it out shows that it names nobody.
        one.draft('nobodys', { author: NO_ID }),
        one.draft('after'),
      ];
      return { what, invalid, ...(await one.run(what, parts, validation)) };
    };
    const updates = validation === undefined ? await invalidUpdates(trial) : [];
    const creations = invalidParts(own.fieldsOf(trial.collection), 'invalid');
    const all = await orFinding(run(trial, [...updates, ofStatus, ...creations].slice(0, MOST_PARTS - 3)));
    // A server that fails of one of them is reported by a check of its field.
    return isFinding(all) ? run(new BatchTrial(own, trial.collection), [ofStatus]) : all;
  },
  (_, validation) => [validation],
);

/** Invalid updates of a draft of the batch with normal validation; their titles show which are carried out. */
async function invalidUpdates({ own, collection }: BatchTrial): Promise<InvalidPart[]> {
  const update = operationFor(own.contract, collection, 'update');
  const earlier = await orFinding(invalidBetween(own, new BatchTrial(own, collection), 'normal'));
  const id = isFinding(earlier) ? undefined : earlier.found.get('after')?.id;
  if (update?.batchable !== true || typeof id !== 'number') return [];
  return invalidParts(writableFields(update), 'changed', own.routeOf({ collection, id }));
}

/** The validation under which one invalid request keeps all from being carried out. */
export const ALL = 'require-all-validate';

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
  const change: BatchPart = { method: 'PATCH', path: trial.path(one), body: { excerpt: CHANGED } };
  const others: BatchPart[] = [
    trial.draft('beside'),
    { method: 'DELETE', path: trial.path(two), body: { force: true } },
    ...Array.from({ length: MOST_PARTS - 4 }, () => change),
  ];
  // The last but one of the most: software may validate the first ones alone, or heed the last one alone.
  const parts = [...others, trial.draft('invalid', INVALID), change];
  const invalid = await trial.run(`a batch with ${mode}`, parts, mode);
  const { found } = invalid;
  const under = found.has('invalid') ? await invalidBetween(own, new BatchTrial(own), 'normal') : undefined;
  if (under?.found.has('invalid') === true) return blocked(checkId('batch', 'normal'));
  const done = [
    ...(found.has('invalid') ? ['the invalid one'] : []),
    ...(found.has('beside') ? ['a creation'] : []),
    ...(rawOf(found.get('one'), 'excerpt') === CHANGED ? ['an update'] : []),
    ...(found.has('two') ? [] : ['a deletion']),
  ];
  if (done.length === 0) return lastInvalid(trial);
  const message = `${mode} carries out requests of a batch with an invalid one: ${done.join(', ')}`;
  return batchFailure(message, 'the drafts as they were', done.join(', '), invalid);
}

/** Evaluates a short batch with the invalid request at its end. */
async function lastInvalid(trial: BatchTrial): Promise<Found> {
  const parts = [trial.draft('first'), trial.draft('last', INVALID)];
  const outcome = await trial.run(`a batch of two with ${ALL}`, parts, ALL);
  if (!outcome.found.has('first')) return [];
  const message = `${ALL} carries out a request of a batch whose last one is invalid`;
  return batchFailure(message, 'no draft', 'the draft', outcome);
}

const UNKNOWN_PATHS = [NOWHERE];
const OUTSIDE = [`https://example.org${NOWHERE}`, NOWHERE.slice(1)];

/** One batch with all such paths; where it does not carry out the others, each check sends a batch of its own. */
const pathsTogether = ownFixture('batch of paths that lead nowhere', (own, collection: string) =>
  runPaths(new BatchTrial(own, collection), [...UNKNOWN_PATHS, ...OUTSIDE]),
);

async function evaluatePaths(trial: BatchTrial, paths: readonly string[]): Promise<Found> {
  const together = await orFinding(pathsTogether(trial.own, trial.collection));
  if (!isFinding(together) && SIDES.every((name) => together.found.has(name))) return [];
  const { what, ...outcome } = await runPaths(trial, paths);
  return expectBoth(what, 'that request', outcome);
}

async function runPaths(trial: BatchTrial, paths: readonly string[]) {
  const what = `a batch with a request to ${paths.join(' and ')}`;
  const requests = paths.map((path) => ({ method: 'POST' as const, path }));
  const parts = [trial.draft('before'), ...requests, trial.draft('after')];
  return { what, ...(await trial.run(what, parts, 'normal')) };
}

/** The names of the drafts on both sides of what is not carried out. */
const SIDES = ['before', 'after'];

function expectBoth(what: string, culprit: string, outcome: BatchOutcome): Found {
  const lost = SIDES.filter((name) => !outcome.found.has(name));
  if (lost.length === 0) return [];
  const message = `${what} does not carry out the requests ${lost.join(' and ')} ${culprit}`;
  return batchFailure(message, 'two drafts', `${2 - lost.length} of the drafts`, outcome);
}
