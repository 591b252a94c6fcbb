import { member } from '../../target/json.ts';
import type { Observation } from '../../target/observation.ts';

/** The ids that a list shows. */
export function idsIn({ json }: Observation): number[] {
  const items: unknown[] = Array.isArray(json) ? json : [];
  return items.map((item) => member(item, 'id')).filter((id) => typeof id === 'number');
}
