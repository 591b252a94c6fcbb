import type { Observation } from '../../../client/observation.ts';
import type { Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import type { Judged } from '../../search/fuzz-set.ts';
import { type Args, toRequest } from '../call.ts';
import type { Ground } from '../control.ts';
import { routeWith } from './stranger-ids.ts';

/**
 * Sends a set of arguments of a read on the ground of its operation; those that are named as a capture go into the path.
 * @param fresh whether nothing is remembered
 */
export function askSet(
  session: Session,
  operation: Operation,
  ground: Ground,
  args: Args,
  fresh: boolean,
): Promise<Observation> {
  const captures = new Set(operation.route.captures.map(({ name }) => name));
  const given = Object.entries(args).filter(([name]) => !captures.has(name));
  const route = routeWith(operation, ground.route, args);
  const spec = toRequest({
    operation,
    ...ground,
    route,
    args: { ...ground.args, ...Object.fromEntries(given) },
  });
  return fresh ? session.client.request(spec) : session.ask(spec);
}

/** What came of a set, for the coverage. */
export function endOf({ answer }: Observation): Judged['end'] {
  return answer === 'accepted' || answer === 'refused' ? answer : 'other';
}
