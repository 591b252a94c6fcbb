import type { Observation } from '../../../client/observation.ts';
import { type Check, checkId, type Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { notAccepted } from '../../../probing/records/own/judge-write.ts';
import { makeRecord, makingProblem, readAfter, recordOf } from '../../../probing/records/own/make-record.ts';
import { ownCheck, readBackRoots, updateRoot } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  nameOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { fileOf, groupOf, writingGroundOf } from './creations.ts';
import { fieldValue } from './field-value.ts';
import { sameAsWritten, zoneOf } from './same-as-written.ts';

/**
 * Fields of which no own record is empty at its creation (R48): the site gives it an author, a slug and often a category,
 * and the run a title and a content.
 */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['author', 'slug', 'categories', 'title', 'content']);

/** Checks that a field which was set is set back to the empty value of its type, where it was empty at first (R48). */
export function unsetChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) =>
    writableFields(about.operation)
      .filter((field) => !NEVER_EMPTY.has(field.name) && emptyOf(field) !== undefined)
      .map((field) => unsetCheck(about, field)),
  );
}

/** The empty value of a field; undefined where its type has none. Both values of a boolean are written by other checks. */
function emptyOf({ schema }: WritableField): unknown {
  if (schema.enum !== undefined || schema.format !== undefined) return undefined;
  const [type] = typesOf(schema);
  if (type === 'string' || schema.properties?.raw !== undefined) return '';
  if (type === 'integer') return 0;
  return type === 'array' ? [] : undefined;
}

function unsetCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(operation.id, field.name, 'unset'),
    kind: 'writes',
    title: `${operation.id} sets ${nameOf(field)} back to ${show(emptyOf(field))}`,
    section: '2',
    on: operation,
    parameter: field.parameter,
    needs: [field.declared, updateRoot(operation.id, 'POST')],
    after: readBackRoots(collection, field.parameter),
    run: (session, own) => judge(session, own, about, field),
  });
}

async function judge(
  session: Session,
  own: OwnRecords,
  { collection, operation }: WritableCollection,
  field: WritableField,
): Promise<Finding[]> {
  const empty = emptyOf(field);
  const ground = await writingGroundOf(session, own, collection);
  const rounds = [1, 0].map((round) => fieldValue(field, ground, round));
  const known = rounds.find((one) => !('value' in one) || !isEmpty(one.value, empty));
  if (known === undefined || 'reason' in known) {
    return [inconclusive(known?.reason ?? `no value of ${nameOf(field)} is known but the empty one`)];
  }
  const making = await makeRecord(session, own, { collection, file: fileOf(groupOf(field)) });
  const problem = makingProblem(`a creation in ${collection}`, making);
  const record = recordOf(making);
  if (problem !== undefined || record === undefined) return problem === undefined ? [] : [problem];
  const before = shownValue(making.shown, field);
  if (!isEmpty(before, empty)) return [inconclusive(`${nameOf(field)} is not empty on a new record`)];
  let last = making.shown;
  const write = async (value: unknown): Promise<{ update: Observation; shown: unknown; curl: string }> => {
    const update = await own.update(record, bodyOf([field], new Map([[field.name, value]])));
    const { read, shown } = await readAfter(session, own, record, last);
    last = shown;
    return { update, shown: shownValue(shown, field), curl: read.curl };
  };
  const set = await write(known.value);
  if (!sameAsWritten(field, known.value, set.shown, zoneOf(session.index))) {
    return [inconclusive(`${nameOf(field)} could not be set on a new record`)];
  }
  const unset = await write(empty);
  const refused = notAccepted(
    `an update of ${operation.id} with ${nameOf(field)} ${show(empty)}`,
    unset.update,
  );
  if (refused !== undefined) return [refused];
  if (sameMeaning(unset.shown, before) || isEmpty(unset.shown, empty)) return [];
  return [
    failure(`${nameOf(field)} was empty at first, is set, and cannot be set back`, {
      expected: show(before),
      observed: show(unset.shown),
      reproduce: [set.update.curl, unset.update.curl, unset.curl],
    }),
  ];
}

/** An id that names nothing may be shown as null or not at all. */
function isEmpty(shown: unknown, empty: unknown): boolean {
  return sameMeaning(shown, empty) || (empty === 0 && (shown === null || shown === undefined));
}
