import { checkId } from '../../engine/check-id.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { placeOf, type Step } from '../../specs/schema.ts';

/** What the ids of all checks of one place in a parameter begin with: `posts.list/status/items`. */
export function placeId({ id }: Operation, { name }: Parameter, steps: readonly Step[]): string {
  return checkId(id, name, placeOf(steps));
}
