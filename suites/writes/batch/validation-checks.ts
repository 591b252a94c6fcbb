import type { JsonObject } from '../../../client/json.ts';
import { NOWHERE } from '../../../client/ownership.ts';
import { checkId, type Found } from '../../../engine/check.ts';
import { blocked, orFinding } from '../../../engine/findings.ts';
import { refusedValues } from '../../../generators/edge-values.ts';
import { MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { creationFields, isText } from '../../../probing/records/own/writable-fields.ts';
import { NO_ID, rawOf } from '../../../probing/records/reading/record.ts';
import type { Resource } from '../../../specs/model.ts';
import { constraintsOf } from '../../../specs/schema.ts';
import { type BatchCheck, type BatchOutcome, BatchTrial, batchFailure, letterOf } from './batch-trial.ts';
import { type SwitchingBatch, switchedOn } from './switch-checks.ts';

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
  const { what, invalid, ...outcome } = await invalidBetween(trial.own, trial, validation);
  for (const { name, body, label, enforced } of invalid) {
    if (!outcome.found.has(name)) continue;
    if ('id' in (await trial.create(`${name}alone`, body))) return blocked(enforced);
    const message = `a batch carries out a creation with an invalid ${label}, which is refused without a batch`;
    return batchFailure(message, 'no draft', 'the draft', outcome);
  }
  return expectBoth(what, 'an invalid request', outcome);
}

interface InvalidPart {
  readonly name: string;
  readonly body: JsonObject;
  readonly label: string;
  /** The check that such a creation is refused alone. */
  readonly enforced: string;
}

/** Creations with one invalid value each: of every field that has a word, a form or a type which must be enforced. */
function invalidParts({ session: { contract } }: OwnRecords, collection: string): InvalidPart[] {
  return creationFields(contract, collection)
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
      return [{ name: `invalid${letterOf(at)}`, body, label: field.label, enforced }];
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
  async (_, trial, validation) => {
    const what =
      validation === undefined ? 'a batch without a validation' : `a batch with ${validation} validation`;
    const enforced = checkId(`${trial.collection}.create`, 'status', 'enum', 'enforced');
    const ofStatus = { name: 'invalid', body: INVALID, label: 'status', enforced };
    const run = async (one: BatchTrial, invalid: readonly InvalidPart[]) => {
      const parts = [
        one.draft('before'),
        ...invalid.map(({ name, body }) => one.draft(name, body)),
        // Only carrying it out shows that it names nobody.
        one.draft('nobodys', { author: NO_ID }),
        one.draft('after'),
      ];
      return { what, invalid, ...(await one.run(what, parts, validation)) };
    };
    const all = await orFinding(run(trial, [ofStatus, ...invalidParts(trial.own, trial.collection)]));
    // A server that fails of one of them is reported by a check of its field.
    return 'finding' in all ? run(new BatchTrial(trial.own, trial.collection), [ofStatus]) : all;
  },
  (_, validation) => [validation],
);

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
  const { found } = invalid;
  const under = found.has('invalid') ? await invalidBetween(own, new BatchTrial(own), 'normal') : undefined;
  if (under?.found.has('invalid') === true) return blocked(checkId('batch', 'normal'));
  const done = [
    ...(found.has('invalid') ? ['the invalid one'] : []),
    ...['before', 'after'].filter((name) => found.has(name)).map((name) => `a creation ${name} it`),
    ...(rawOf(found.get('one'), 'excerpt') === CHANGED ? ['an update before it'] : []),
    ...(found.has('two') ? [] : ['a deletion after it']),
  ];
  if (done.length === 0) return [];
  const message = `${mode} carries out requests of a batch with an invalid one: ${done.join(', ')}`;
  return batchFailure(message, 'the drafts as they were', done.join(', '), invalid);
}

async function evaluatePaths(trial: BatchTrial, paths: readonly string[]): Promise<Found> {
  const what = `a batch with a request to ${paths.join(' and ')}`;
  const requests = paths.map((path) => ({ method: 'POST' as const, path }));
  const outcome = await trial.run(what, [trial.draft('before'), ...requests, trial.draft('after')], 'normal');
  return expectBoth(what, 'that request', outcome);
}

function expectBoth(what: string, culprit: string, outcome: BatchOutcome): Found {
  const lost = ['before', 'after'].filter((name) => !outcome.found.has(name));
  if (lost.length === 0) return [];
  const message = `${what} does not carry out the requests ${lost.join(' and ')} ${culprit}`;
  return batchFailure(message, 'two drafts', `${2 - lost.length} of the drafts`, outcome);
}
