import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { show } from '../../../engine/show.ts';

/**
 * Judges a revision or an autosave by what is stated of it: an integer id, and the id of its record as its parent (§2).
 * @param what it is, for the beginning of a sentence; @param id the id that it must have, where one is known
 */
export function judgeChild(
  what: string,
  child: unknown,
  parent: number,
  { curl }: Observation,
  id?: number,
): Finding[] {
  const [ownId, ownParent] = [member(child, 'id'), member(child, 'parent')];
  const failure = (message: string, expected: string, observed: unknown): Finding[] => [
    { kind: 'failure', message, expected, observed: show(observed), reproduce: [curl] },
  ];
  if (!Number.isInteger(ownId)) return failure(`${what} has no integer id`, 'an integer', ownId);
  if (ownParent !== parent) {
    return failure(`${what} does not name its record as its parent`, `parent ${parent}`, ownParent);
  }
  if (id !== undefined && ownId !== id) return failure(`${what} answers as another`, `id ${id}`, ownId);
  return [];
}
