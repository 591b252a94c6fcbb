import { member } from '../../../client/json.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { show } from '../../../engine/show.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { untoldBy } from '../../records/own/judge-write.ts';
import {
  creationCurl,
  makeRecord,
  makingProblem,
  readBack,
  recordOf,
} from '../../records/own/make-record.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import {
  collectionsWith,
  type WritableCollection,
  writableFields,
} from '../../records/own/writable-fields.ts';
import { creationRoot, findingRoots } from '../../records/own/write-roots.ts';
import { statusRecord } from './status-records.ts';

/** Checks that two published records of one type do not keep one slug (§2, R36), where that is said of them. */
export function slugChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create')
    .filter(({ resource, operation }) => resource.uniqueSlugs === true && takes(operation, 'slug', 'status'))
    .map(uniqueCheck);
}

function uniqueCheck({ collection, resource, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId('slugs', collection, 'unique'),
    title: `a second one of ${collection} with a slug that is taken gets another one, or is refused`,
    section: '2',
    basis: 'stated',
    operation: operation.id,
    parameter: 'slug',
    dependsOn: [
      checkId(operation.id, 'slug', 'stored'),
      checkId(operation.id, 'status', 'stored', 'publish'),
      creationRoot(collection),
    ],
    buildsOn: findingRoots(resource),
    async run(session, own): Promise<Finding[]> {
      const first = await statusRecord(session, own, collection, 'publish');
      const record = recordOf(first);
      const slug = member(first.shown, 'slug');
      if (record === undefined || typeof slug !== 'string' || slug === '') {
        return [inconclusive('no own published record shows a slug')];
      }
      const written = new Map([
        ['slug', slug],
        ['status', 'publish'],
      ]);
      const second = await makeRecord(session, own, {
        collection,
        fields: writableFields(operation),
        written,
      });
      if ('refused' in second.creation && second.creation.refused.answer !== 'accepted') {
        const untold = untoldBy('a creation with a slug that is taken', second.creation.refused);
        return untold === undefined ? [] : [untold];
      }
      const problem = makingProblem('a creation with a slug that is taken', second);
      if (problem !== undefined) return [problem];
      const again = await readBack(own, record);
      const untold = untoldBy('reading the first record again', again.read);
      if (untold !== undefined) return [untold];
      const slugs = [member(again.shown, 'slug'), member(second.shown, 'slug')];
      if (slugs[0] !== slugs[1]) return [];
      return [
        failure(`two published ${collection} have one slug`, {
          expected: 'two slugs, or a refusal of the second',
          observed: `${show(slugs[0])} twice`,
          reproduce: [creationCurl(first), creationCurl(second), second.read?.curl ?? '', again.read.curl],
        }),
      ];
    },
  });
}
