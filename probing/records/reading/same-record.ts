import { isObject, member } from '../../../client/json.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { jsonType } from '../../../generators/valid-values.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';

/** What a field says besides what it is rendered as, which may depend on where it stands. */
const STORED = ['raw', 'protected'] as const;

/**
 * The names of the writable fields in which two answers about one record contradict each other. What one of them does not
 * show says nothing, and neither does rendered text.
 */
export function contradictions(
  contract: Contract,
  collection: string,
  one: unknown,
  other: unknown,
): string[] {
  const names = operationFor(contract, collection, 'create')?.parameters.map(({ wire }) => wire) ?? [];
  return [...new Set(['id', ...names])].filter((name) => {
    const [first, second] = [member(one, name), member(other, name)];
    if (isObject(first) && isObject(second) && STORED.some((part) => part in first || part in second)) {
      return STORED.some((part) => contradict(first[part], second[part]));
    }
    return !isRendered(first) && contradict(first, second);
  });
}

function contradict(one: unknown, other: unknown): boolean {
  // Values of two types are a matter of the types.
  const isAlike = jsonType(one) === jsonType(other);
  return isAlike && one !== undefined && !sameMeaning(one, other);
}

function isRendered(value: unknown): boolean {
  return isObject(value) && 'rendered' in value;
}
