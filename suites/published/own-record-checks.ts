import { member } from '../../client/json.ts';
import { type Check, checkId, type Finding, serves } from '../../engine/check.ts';
import { failure, inconclusive, show } from '../../engine/findings.ts';
import { describe } from '../../engine/probe.ts';
import { notAccepted, untoldBy } from '../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../probing/records/own/own-check.ts';
import type { OwnRecord, OwnRecords } from '../../probing/records/own/own-records.ts';
import { freeTexts, taggedFields } from '../../probing/records/own/writable-fields.ts';
import { isDescribed, ownCollections } from '../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../specs/model.ts';

/**
 * Checks of records that a site publishes and its owner has opened for writing, where only their shape is known: what is
 * created reads back, what is changed has changed, and what is deleted is gone.
 */
export function publishedRecordChecks(contract: Contract): Check[] {
  return ownCollections(contract)
    .filter((resource) => !isDescribed(resource))
    .flatMap((resource) => [
      ...roleCheck(resource, 'create', 'creates a record that reads back as it was written', creates),
      ...roleCheck(resource, 'update', 'changes what a record holds', changes),
      ...roleCheck(resource, 'delete', 'removes a record', removes),
    ]);
}

type Judge = (
  own: OwnRecords,
  record: OwnRecord,
  operation: Operation,
  create: Operation,
) => Promise<Finding[]>;

function roleCheck({ id, operations }: Resource, role: string, does: string, judge: Judge): Check[] {
  const operation = operations[role];
  const create = operations.create;
  if (operation === undefined || create === undefined) return [];
  const creation = checkId(create.id, 'own-record');
  return [
    ownCheck({
      id: checkId(operation.id, 'own-record'),
      title: `${operation.id} ${does}`,
      kind: 'writes',
      basis: 'published',
      on: operation,
      needs: [serves(operation), ...(role === 'create' ? [] : [creation])],
      async run(_session, own) {
        const made = await own.create(id);
        if (!('refused' in made)) return judge(own, made, operation, create);
        if (made.finding !== undefined) return [made.finding];
        const { answer } = made.refused;
        if (answer === 'accepted') return [inconclusive(`a new record of ${id} is answered without an id`)];
        // What a site takes for good beside what it declares as required is not published.
        const untold = untoldBy(`a new record of ${id}`, made.refused);
        return [untold ?? inconclusive(`a new record of ${id} is ${describe(made.refused)}`)];
      },
    }),
  ];
}

async function creates(
  _own: OwnRecords,
  { read, slug, created }: OwnRecord,
  _operation: Operation,
  create: Operation,
): Promise<Finding[]> {
  return Object.entries(taggedFields(create, slug)).flatMap(([field, written]) => {
    const shown = member(read.json, field);
    if (typeof shown === 'object' || shown === undefined || String(shown) === String(written)) return [];
    const details = { expected: show(written), observed: show(shown), reproduce: [created.curl, read.curl] };
    return [failure(`${field} reads back as another value than was written`, details)];
  });
}

async function changes(own: OwnRecords, record: OwnRecord, operation: Operation): Promise<Finding[]> {
  const shown = (name: string): unknown => member(record.read.json, name);
  const field = freeTexts(operation).find(({ wire }) => typeof shown(wire) === 'string');
  if (field === undefined) return [inconclusive('no text of a record can be changed and read back')];
  const text = `${record.slug} changed`;
  const answer = await own.update(record, { [field.wire]: text });
  const refused = notAccepted(`a change of ${field.wire}`, answer);
  if (refused !== undefined) return [refused];
  const read = await own.read(record);
  const unread = notAccepted('a read of the record that was changed', read);
  if (unread !== undefined) return [unread];
  const observed = member(read.json, field.wire);
  if (observed === text) return [];
  const details = { expected: show(text), observed: show(observed), reproduce: [answer.curl, read.curl] };
  return [failure(`${field.wire} is not what it was changed to`, details)];
}

async function removes(own: OwnRecords, record: OwnRecord): Promise<Finding[]> {
  const answer = await own.remove(record, true);
  const refused = notAccepted('the deletion of an own record', answer);
  if (refused !== undefined) return [refused];
  const read = await own.read(record, 'view');
  if (read.answer !== 'accepted' || member(read.json, 'id') !== record.id) return [];
  const details = {
    expected: 'no such record',
    observed: describe(read),
    reproduce: [answer.curl, read.curl],
  };
  return [failure('a record that was deleted is still there', details)];
}
