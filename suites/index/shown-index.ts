import { showPart } from '../../client/curl-line.ts';
import type { Finding } from '../../engine/check.ts';
import { failure } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Operation, Parameter, Route } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';

/** A failure that the index shows. @param path the members of the index that lead to what it is about */
export function indexFailure(
  session: Session,
  message: string,
  expected: string,
  observed: string,
  ...path: (string | number)[]
): Finding {
  return failure(message, { expected, observed, reproduce: [indexCurl(session, ...path)] });
}

/**
 * The line for a shell that shows the one part of the index that a finding is about.
 * @param path the members that lead there; a route or parameter that is not there shows as `undefined`
 */
export function indexCurl(session: Session, ...path: (string | number)[]): string {
  const { client } = session;
  return client.redact(showPart(client.curl({ method: 'GET', route: '/' }), path));
}

const PATH_PARAMETER = /\{(\w+)\}/g;
/** What a path parameter takes of which nothing is stated. */
const ANY_SEGMENT = '[^/]+';

/** What an index declares where a parameter conforms to the contract, as JSON from its top level on. */
export function parameterFragment(operation: Operation, parameter: Parameter): string {
  return routesWith(operation.route, { endpoints: [endpointOf(operation, [parameter])] });
}

/** What an index declares where an operation conforms. */
export function operationFragment(operation: Operation): string {
  return routesWith(operation.route, { endpoints: [endpointOf(operation, operation.parameters)] });
}

/** What an index declares where a route conforms. @param namespace the one of the route, in the words of the target */
export function routeFragment(route: Route, operations: readonly Operation[], namespace: string): string {
  return routesWith(route, {
    namespace,
    methods: [...new Set(operations.flatMap(({ methods }) => methods))],
    endpoints: operations.map((operation) => endpointOf(operation, operation.parameters)),
  });
}

function routesWith(route: Route, entry: object): string {
  return JSON.stringify({ routes: { [patternOf(route)]: entry } });
}

function patternOf({ wire, pathParameters }: Route): string {
  const kinds = new Map(pathParameters.map(({ name, kind }) => [name, kind?.pattern ?? ANY_SEGMENT]));
  return wire.replaceAll(PATH_PARAMETER, (_, name: string) => `(?P<${name}>${kinds.get(name)})`);
}

function endpointOf({ methods, batchable }: Operation, parameters: readonly Parameter[]): object {
  const args = parameters.map(({ wire, schema, required }) => [
    wire,
    { ...described(schema), ...(required !== undefined && { required }) },
  ]);
  return { methods, ...(batchable && { allow_batch: { v1: true } }), args: Object.fromEntries(args) };
}

/** A schema in the words of an index: what is a note of the contract stays out. */
function described(schema: Schema): object {
  const {
    items,
    properties,
    required = [],
    additionalProperties: others,
    readOnly,
    'x-contexts': context,
    'x-published': published,
    ...rest
  } = schema;
  const own = Object.entries(rest).filter(([keyword]) => !keyword.startsWith('x-'));
  // An index says of each member whether it is required.
  const members = Object.entries(properties ?? {}).map(([name, inner]) => [
    name,
    { ...described(inner), ...(required.includes(name) && { required: true }) },
  ]);
  return {
    ...Object.fromEntries(own),
    ...published,
    ...(items !== undefined && { items: described(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(members) }),
    ...(others !== undefined && {
      additionalProperties: typeof others === 'object' ? described(others) : others,
    }),
    ...(readOnly === true && { readonly: true }),
    ...(context !== undefined && { context }),
  };
}
