import { asObject } from '../../../client/json.ts';
import { listAll } from '../../../probing/records/clean-up/census.ts';
import { MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { UPDATE_METHODS } from '../../../probing/records/own/own-check.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-fixture.ts';
import { shownInList } from '../../../probing/records/own/read-in-edit.ts';
import { bodyOf, type WritableField, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { isMarked, writeTogether } from '../../../probing/records/own/write-together.ts';
import type { Operation } from '../../../specs/model.ts';
import type { UpdateStep } from './evaluate-stored.ts';
import { type FieldSources, fieldSourcesOf, valuesOfRound } from './field-values.ts';

/** The members of enums that the rounds of updates do not write, for one update each. */
export function restOfMembers(
  fields: readonly WritableField[],
  sources: FieldSources,
): ReadonlyMap<string, unknown>[] {
  const listed = fields.filter(({ name, schema }) => schema.enum !== undefined && name !== 'status');
  const longest = Math.max(0, ...listed.map(({ schema }) => schema.enum?.length ?? 0));
  // The member that the creation wrote comes last.
  const rounds = Array.from({ length: longest + 1 }, (_, round) => round).slice(UPDATE_METHODS.length + 1);
  return rounds.map((round) => {
    const unseen = listed.filter(({ schema }) => round <= (schema.enum?.length ?? 0));
    return valuesOfRound(unseen, sources, round);
  });
}

/** One batch that writes the rest of the members, each to a draft, and one list that reads them; none without either. */
export const memberStepsOf: OwnFixture<readonly UpdateStep[], [operation: Operation]> = ownFixture(
  'members in one batch',
  async (own, operation) => {
    const { id: collection = '' } = operation.resource ?? {};
    const fields = writableFields(operation);
    const rest = restOfMembers(fields, await fieldSourcesOf(own, collection));
    if (!isMarked(own, collection) || rest.length < 2 || rest.length > MOST_PARTS) return [];
    const drafts: OwnRecord[] = [];
    for (const _ of rest) {
      const draft = await newDraft(own, collection);
      if ('id' in draft) drafts.push(draft);
    }
    if (drafts.length < rest.length) return [];
    const bodies = rest.map((written) => own.stated(collection, bodyOf(fields, written)));
    const parts = drafts.map(({ id }, at) => {
      const path = `${own.route(collection)}/${id}`;
      return { collection, method: 'POST', path, body: bodies[at] ?? {} } as const;
    });
    const outcomes = (await writeTogether(own, parts)) ?? [];
    const listing = await listAll(own.session, collection, { include: drafts.map(({ id }) => id) });
    const steps = drafts.flatMap(({ id, shown: before }, at): UpdateStep[] => {
      const [answer, written, read] = [outcomes[at], rest[at], shownInList(listing, id)];
      if (answer === undefined || !('answer' in answer) || written === undefined) return [];
      if (answer.answer !== 'accepted' || read === undefined) return [];
      return [{ id, method: 'POST', written, answer, read, shown: asObject(read.json) ?? {}, before }];
    });
    if (steps.length < rest.length) return [];
    for (const body of bodies) own.noteUpdate(collection, body);
    return steps;
  },
);
