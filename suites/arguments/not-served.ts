import type { Observation } from '../../client/observation.ts';
import { type Caller, fixture, type Session } from '../../engine/session.ts';
import type { Operation } from '../../specs/model.ts';
import { toRequest } from './call.ts';
import type { Baseline } from './control.ts';

/** The last segment of a route that no site has. */
const NOWHERE = 'no-such-route';

/**
 * Whether an operation answers exactly like a route that does not exist: it is listed, and nothing serves it. With path
 * parameters it may be an item that does not exist, and a required argument may name nothing; without the argument the
 * site would refuse it for that.
 */
export async function isNotServed(
  session: Session,
  { operation, route, args, as }: Baseline,
  answer: Observation,
): Promise<boolean> {
  if (answer.status !== 404 || operation.route.pathParameters.length > 0) return false;
  const noRoute = nowhereBeside(operation);
  const nowhere = await answerOfNowhere(session, operation, as);
  const isNowhere = (one: Observation): boolean => isAlike(one, route, nowhere, noRoute);
  if (!isNowhere(answer)) return false;
  return Object.keys(args).length === 0 || isNowhere(await send(session, operation, as, route));
}

/** What the site answers for a route of the namespace that does not exist. */
const answerOfNowhere = fixture(
  'nowhere',
  (session, operation: Operation, as: Caller) => send(session, operation, as, nowhereBeside(operation)),
  (operation, as) => [nowhereBeside(operation), operation.methods[0], as],
);

function nowhereBeside({ route }: Operation): string {
  return `${route.wire.replace(/[^/]+$/, '')}${NOWHERE}`;
}

function send(session: Session, operation: Operation, as: Caller, route: string): Promise<Observation> {
  const call = { operation, route, args: {}, as };
  if (operation.effect === 'reads') return session.ask(toRequest(call));
  return session.client.request(toRequest({ ...call, intent: 'alters-site' }));
}

/** Compares two answers without the routes that they repeat. */
function isAlike(one: Observation, route: string, nowhere: Observation, noRoute: string): boolean {
  return one.status === nowhere.status && without(one.text, route) === without(nowhere.text, noRoute);
}

function without(text: string | undefined, route: string): string | undefined {
  return text?.replaceAll(route, '').replaceAll(route.replaceAll('/', String.raw`\/`), '');
}
