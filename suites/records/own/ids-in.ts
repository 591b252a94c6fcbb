import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';

/** The ids that a list shows. */
export function idsIn({ json }: Observation): number[] {
  const items: unknown[] = Array.isArray(json) ? json : [];
  return items.map((item) => member(item, 'id')).filter((id) => typeof id === 'number');
}
