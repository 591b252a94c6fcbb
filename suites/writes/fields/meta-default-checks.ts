import type { Check } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { show } from '../../../engine/show.ts';
import type { Contract } from '../../../specs/model.ts';
import { creationCurl } from '../../records/own/make-record.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import {
  collectionsWith,
  nameOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../records/own/writable-fields.ts';
import { creationRoot } from '../../records/own/write-roots.ts';
import { creationOf } from './creations.ts';

/** Checks that a key of `meta` which was not written reads as its stated default (§2). */
export function metaDefaultChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) =>
    writableFields(about.operation)
      .filter(({ key, schema }) => key !== undefined && 'default' in schema)
      .map((field) => defaultCheck(about, field)),
  );
}

function defaultCheck({ collection, operation }: WritableCollection, field: WritableField): Check {
  return ownCheck({
    id: checkId(operation.id, field.name, 'default'),
    title: `${nameOf(field)} reads ${show(field.schema.default)} where ${operation.id} was not given it`,
    section: '2',
    basis: field.basis,
    operation: operation.id,
    parameter: 'meta',
    dependsOn: [field.declared, creationRoot(collection)],
    async run(session, own) {
      const plain = await creationOf(session, own, collection, 'plain');
      const shown = shownValue(plain.shown, field);
      if (sameMeaning(shown, field.schema.default)) return [];
      if (shown === undefined) {
        return [inconclusive(`an own record does not show ${nameOf(field)}`)];
      }
      return [
        failure(`${nameOf(field)} does not read as its default on a record that was not given it`, {
          expected: show(field.schema.default),
          observed: show(shown),
          reproduce: [creationCurl(plain), ...(plain.read === undefined ? [] : [plain.read.curl])],
        }),
      ];
    },
  });
}
