import type { Operation, Parameter } from '../../specs/model.ts';
import { includesMode } from '../../target/mode.ts';
import type { Intent, Observation } from '../../target/observation.ts';
import type { Caller, Session } from '../session.ts';
import { allGood } from './acceptance-groups.ts';
import { type Args, type Call, toRequest } from './call.ts';
import { baseArgs, fillRoute } from './fixtures.ts';
import { goodArgument } from './good-argument.ts';

/** What every probe of an operation shares: the filled path, good required arguments, and who asks. */
export interface Ground {
  readonly route: string;
  readonly args: Args;
  readonly as: Caller;
}

/**
 * The ground of an operation, found once; a reason when the site has nothing to probe it on. Reads are asked by who
 * sees the most; writes without credentials, so that a site which does not check an argument denies them all the same.
 */
export function groundOf(
  session: Session,
  operation: Operation,
): Promise<Ground | { readonly reason: string }> {
  return session.once(`ground ${operation.id}`, async () => {
    const filled = await fillRoute(session, operation);
    if ('reason' in filled) return filled;
    const as = operation.effect === 'reads' ? session.caller : 'anonymous';
    return { route: filled.route, args: await baseArgs(session, operation), as };
  });
}

/** Sends a probe: a read once for all checks that ask the same, anything else each time. */
export function sendProbe(session: Session, call: Omit<Call, 'intent'>): Promise<Observation> {
  if (call.operation.effect === 'reads') return session.ask(toRequest(call));
  return session.client.request(toRequest({ ...call, intent: 'must-be-refused' }));
}

/**
 * The twin of the probes of an operation: the same request with good values only, sent once for each set of arguments.
 * @returns the reason where a valid request may not be sent in this mode
 */
export function controlOf(
  session: Session,
  operation: Operation,
  ground: Ground,
  args: Args,
): Promise<Observation | string> {
  return session.once(`control ${operation.id} ${ground.as} ${JSON.stringify(args)}`, async () => {
    const intent = controlIntent(operation);
    if (operation.effect === 'reads') return session.ask(toRequest({ operation, ...ground, args }));
    if (intent === 'alters-site' && !includesMode(session.client.mode, 'full')) {
      return 'the control, a valid request, could alter the site: only mode full sends it';
    }
    return session.client.request(toRequest({ operation, ...ground, args, intent }));
  });
}

/**
 * The twin of a probe of one parameter. One request with a good value for every parameter serves all probes of an
 * operation; only where that is refused does a parameter get a twin of its own.
 */
export async function twinOf(
  session: Session,
  operation: Operation,
  ground: Ground,
  parameter: Parameter,
  beside: Args,
): Promise<Observation | string> {
  const shared = await controlOf(session, operation, ground, { ...allGood(operation), ...ground.args });
  if (typeof shared === 'string' || shared.answer === 'accepted' || shared.answer === 'denied') return shared;
  const value = goodArgument(operation, parameter);
  return controlOf(session, operation, ground, { [parameter.wire]: value, ...ground.args, ...beside });
}

/** A valid deletion without credentials is still a deletion where permissions are broken: it counts as altering. */
function controlIntent(operation: Operation): Intent {
  if (operation.effect === 'alters-site' || operation.methods.includes('DELETE')) return 'alters-site';
  return 'must-be-refused';
}
