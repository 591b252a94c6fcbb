import { checkId } from '../../engine/check-id.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { placeOf, type Step } from '../../specs/schema.ts';

/** What the ids of all checks of one place in a parameter begin with: `posts.list/status/items`. */
export function placeId({ id }: Operation, { name }: Parameter, steps: readonly Step[]): string {
  return checkId(id, name, placeOf(steps));
}

/** The check that an operation is served at all, on which whatever asks it depends: one list, shared by all of its checks. */
export function servedBy(operation: Operation): readonly [string] {
  const list = known.get(operation) ?? [checkId(operation.id, 'method', operation.methods[0])];
  known.set(operation, list);
  return list;
}

const known = new WeakMap<Operation, readonly [string]>();
