import type { Collection } from '../../../client/journal.ts';
import { checkId } from '../../../engine/check-id.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { collectionsWith, type WritableField, writableFields } from '../../records/own/writable-fields.ts';

/** A field that the contract excludes for an operation, and has for the records of another collection. */
export interface AbsentField {
  /** As that other collection has it: its schema tells good values. */
  readonly field: WritableField;
  /** The other collection. */
  readonly from: Collection;
  /** The id of the check that the index does not declare it. */
  readonly declared: string;
  readonly section: string;
  /** The words that exclude it. */
  readonly reason: string;
}

/** The fields that the contract excludes for a write (R40), where another collection has them. */
export function absentFields(contract: Contract, operation: Operation): AbsentField[] {
  const parameters = operation.absent.map(({ name, section, reason }) => ({
    name,
    declared: checkId(operation.id, name, 'absent'),
    section,
    reason,
  }));
  const members = operation.parameters.flatMap(({ name, schema }) =>
    (schema['x-absent-members'] ?? []).map(({ 'x-neutral': neutral, ...one }) => ({
      name: `${name}/${neutral ?? one.name}`,
      declared: checkId(operation.id, name, 'properties', neutral ?? one.name, 'absent'),
      section: one.section,
      reason: one.reason,
    })),
  );
  return [...parameters, ...members].flatMap(({ name, ...about }) => {
    const known = fieldOf(contract, name);
    return known === undefined ? [] : [{ ...known, ...about }];
  });
}

/** A field by its name, of the first collection that has it. */
function fieldOf(
  contract: Contract,
  name: string,
): { readonly field: WritableField; readonly from: Collection } | undefined {
  for (const { collection: from, operation } of collectionsWith(contract, 'create')) {
    const field = writableFields(operation).find((one) => one.name === name);
    if (field !== undefined) return { field, from };
  }
  return undefined;
}
