import type { FieldPlace } from '../../engine/result.ts';

/** The id of the change of a field: the same in every comparison. */
export function fieldChangeId({ resource, field, member }: FieldPlace): string {
  return `fields/${resource}/${field}${member === undefined ? '' : `.${member}`}`;
}
