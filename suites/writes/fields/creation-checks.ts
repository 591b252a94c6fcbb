import { asObject, member } from '../../../client/json.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { listAll } from '../../../probing/records/clean-up/census.ts';
import { creationCurl, makingProblem, recordOf } from '../../../probing/records/own/make-record.ts';
import { creationRoot, ownCheck } from '../../../probing/records/own/own-check.ts';
import { collectionsWith, type WritableCollection } from '../../../probing/records/own/writable-fields.ts';
import type { Contract } from '../../../specs/model.ts';
import { creationOf } from './creations.ts';

/** Checks that a plain creation makes a record that can be read, and no more than one. */
export function creationChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) => [recordCheck(about), onceCheck(about)]);
}

function recordCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: creationRoot(collection),
    kind: 'writes',
    title: `${operation.id} makes a record that its id reads back`,
    on: operation,
    needs: [serves(operation, 'POST')],
    async run(session, own) {
      const plain = await creationOf(session, own, collection, 'plain');
      const problem = makingProblem(`a creation in ${collection} with nothing but plain text`, plain);
      return problem === undefined ? [] : [problem];
    },
  });
}

function onceCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'once'),
    kind: 'writes',
    title: `${operation.id} makes one record for one request`,
    on: operation,
    needs: [creationRoot(collection), checkId(`${collection}.list`, 'method', 'GET')],
    async run(session, own): Promise<Finding[]> {
      const making = await creationOf(session, own, collection, 'plain');
      const slug = recordOf(making)?.slug ?? '';
      const listing = await listAll(session.client, session.contract, collection, { search: slug });
      if ('reason' in listing) return [inconclusive(listing.reason)];
      const made = listing.records.filter((record) => titleOf(record) === `${slug} title`);
      if (made.length === 1) return [];
      if (made.length === 0) {
        return [inconclusive('a search for its title does not find the record')];
      }
      return [
        failure(`one creation in ${collection} made ${made.length} records`, {
          expected: 'one record',
          observed: `the ids ${made.map(({ id }) => id).join(', ')}`,
          reproduce: [creationCurl(making)],
        }),
      ];
    },
  });
}

function titleOf(record: unknown): unknown {
  const title = asObject(member(record, 'title'));
  return member(title, 'raw') ?? member(title, 'rendered');
}
