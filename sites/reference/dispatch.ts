import { type Answer, answer } from './answer.ts';
import { type ApiRequest, collectParameters } from './api-request.ts';
import type { Operation } from './contract.ts';
import { finish } from './finish.ts';
import { handlerOf } from './handler-of.ts';
import { routeEntry } from './index-document.ts';
import { emptyObjectsAsArrays } from './json.ts';
import { Refusal } from './refusal.ts';
import { matchRoute, routePattern } from './route-pattern.ts';
import type { Call, Site } from './site.ts';

/**
 * Answers a request in the order of work of real software: route, JSON syntax, required arguments, validity,
 * then what the handler checks: permission and meaning. A refusal becomes an answer here.
 */
export async function dispatch(site: Site, request: ApiRequest): Promise<Answer> {
  try {
    if (request.method === 'OPTIONS') return describeRoute(site, request);
    const call = prepare(site, request);
    return finish(await perform(call), request);
  } catch (failure) {
    if (failure instanceof Refusal) return finish(answer(failure.body, failure.status), request);
    throw failure;
  }
}

/** Lets the handler of its operation answer a prepared call: permission, then meaning. */
export async function perform(call: Call): Promise<Answer> {
  return await handlerOf(call.site, call.operation)(call);
}

/**
 * Everything before the handler: finds the operation and reads valid arguments.
 * @param admit looks at the operation before its arguments are read, and may throw
 * @throws Refusal 404 without a route, 400 for broken JSON or arguments that are missing or invalid.
 */
export function prepare(
  site: Site,
  request: ApiRequest,
  admit: (operation: Operation) => void = () => {},
): Call {
  const { operation, pathParameters } = match(site, request);
  admit(operation);
  if (request.brokenJson) throw new Refusal('rest_invalid_json', 'Invalid JSON body passed.', 400);
  const given = collectParameters(request, pathParameters);
  const args = site.behaviour.readArguments(operation.parameters, given, { operation, request });
  return { site, operation, request, args };
}

function match(
  site: Site,
  request: ApiRequest,
): { operation: Operation; pathParameters: Record<string, string> } {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const operation of candidates(site, request.route)) {
    const pathParameters = matchRoute(operation, request.route);
    if (pathParameters && operation.methods.includes(method)) return { operation, pathParameters };
  }
  throw noRoute();
}

function noRoute(): Refusal {
  return new Refusal('rest_no_route', 'No route was found matching the URL and request method.', 404);
}

/** Operations whose route matches, those without a path parameter first. */
function candidates(site: Site, route: string): Operation[] {
  const matching = site.contract.operations.filter((operation) => matchRoute(operation, route));
  return matching.toSorted((one, other) => pathParameterCount(one) - pathParameterCount(other));
}

function pathParameterCount(operation: Operation): number {
  return Object.keys(operation.pathParameters).length;
}

/** OPTIONS answers the entry of the route in the index, and the methods in `Allow`; nothing for no route. */
function describeRoute(site: Site, request: ApiRequest): Answer {
  const [first] = candidates(site, request.route);
  if (!first) return answer([]);
  const pattern = routePattern(first);
  const sharing = site.contract.operations.filter((operation) => routePattern(operation) === pattern);
  const methods = [...new Set(sharing.flatMap((operation) => operation.methods))];
  const entry = emptyObjectsAsArrays(routeEntry(pattern, sharing, site.url));
  return answer(entry, 200, { Allow: methods.join(', ') });
}
