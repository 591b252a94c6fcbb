import { member } from '../../client/json.ts';
import { namespaceAbove, patternFault, shapeOf } from '../../client/route-pattern.ts';
import type { SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { BeyondNamespace, Notice } from '../../engine/result.ts';
import { plural } from '../../engine/text.ts';
import { readDescriptor } from '../../probing/declarations/descriptor.ts';
import { findRoute, servedMethods } from '../../probing/declarations/find-route.ts';
import type { Contract, Operation, Route } from '../../specs/model.ts';
import { namedMembers } from '../../specs/schema.ts';

/**
 * What the index has beyond the contract. None of it is a contradiction (R2, R6, R16, R40), but worth knowing before an
 * upgrade. A key that is not a pattern is reported as such; if it replaces a stated route, the check of that route fails.
 */
export function noticesOf(contract: Contract, index: SiteIndex): Notice[] {
  const beyond = beyondOf(contract, index);
  const folded = new Set(beyond.map(({ namespace }) => namespace));
  const shapes = new Set(contract.routes.map((route) => shapeOf(route.wire)));
  return [
    ...beyond.map(namespaceNotice),
    ...index.routes.flatMap(({ key }) => {
      const fault = patternFault(key);
      return fault === undefined
        ? []
        : [{ id: 'malformed/route', message: `lists the route ${key}, which is no pattern: ${fault}` }];
    }),
    ...index.routes
      .filter(({ key }) => !shapes.has(shapeOf(key)) && patternFault(key) === undefined)
      .filter((route) => namespaceOf(route, folded) === undefined)
      .map(({ key, endpoints }) => {
        const mark = endpoints.some(({ batch }) => batch) ? '; it carries the batch mark' : '';
        return extra('route', `lists the route ${key}`, mark);
      }),
    ...contract.routes.flatMap((route) => methodNotices(contract, index, route)),
    ...contract.operations.flatMap((operation) => parameterNotices(index, operation)),
    ...contract.operations.flatMap((operation) => memberNotices(index, operation)),
  ];
}

function extra(what: string, does: string, more = ''): Notice {
  return { id: `extra/${what}`, message: `${does}, which the contract does not have${more}` };
}

function namespaceNotice({ namespace, routes, methods, file }: BeyondNamespace): Notice {
  const size = routes === 0 ? '' : `: ${plural(routes, 'route')} with ${plural(methods, 'method')}`;
  const known =
    file === undefined
      ? ''
      : `; "${file}" describes it: add that to the deployment, or use --deployment auto`;
  return extra('namespace', `serves the namespace ${namespace}`, `${size}${known}`);
}

function methodNotices(contract: Contract, index: SiteIndex, route: Route): Notice[] {
  const stated = new Set(
    contract.operations.filter((one) => one.route === route).flatMap(({ methods }) => methods),
  );
  const served = new Set(findRoute(index, route)?.route.endpoints.flatMap(({ methods }) => methods) ?? []);
  return [...served.difference(stated)].map((method) => extra('method', `serves ${method} on ${route.wire}`));
}

function parameterNotices(index: SiteIndex, operation: Operation): Notice[] {
  const parts = findRoute(index, operation.route)?.route.parts ?? [];
  // Parameters that are stated to be absent have checks of their own.
  const stated = new Set([
    ...[...operation.parameters, ...operation.absent].map(({ wire }) => wire),
    ...parts.flatMap((part) => ('pathParameter' in part ? [part.pathParameter] : [])),
  ]);
  const args = declaredArgs(index, operation);
  const declared = new Set(args.flatMap((one) => Object.keys(one ?? {})));
  return [...declared.difference(stated)].map((name) => {
    const isRequired = args.some((one) => readDescriptor(member(one, name))?.keyword('required') === true);
    const more = isRequired ? '; it is required, so it refuses calls that keep to the contract' : '';
    return extra('parameter', `declares the parameter ${name} of ${operation.id}`, more);
  });
}

function declaredArgs(index: SiteIndex, operation: Operation): (object | undefined)[] {
  return servedMethods(index, operation).flatMap(({ endpoints }) => endpoints.map(({ args }) => args));
}

/** Members that plugins add to an open object, such as keys of `meta` (R40). */
function memberNotices(index: SiteIndex, operation: Operation): Notice[] {
  const args = declaredArgs(index, operation);
  return operation.parameters.flatMap(({ wire, schema }) => {
    if (schema.properties === undefined || schema.additionalProperties === false) return [];
    const stated = namedMembers(schema);
    const declared = new Set(args.flatMap((one) => readDescriptor(member(one, wire))?.members() ?? []));
    return [...declared.difference(stated)].map((name) =>
      extra('member', `declares the member ${name} in ${wire} of ${operation.id}`),
    );
  });
}

/** The namespaces of an index that are not in the contract, with their routes; those with a built-in file first. */
export function beyondOf({ namespaces, elsewhere }: Contract, index: SiteIndex): BeyondNamespace[] {
  const stated = new Set(namespaces.map(({ wire }) => wire));
  const files = new Map(elsewhere.map(({ wire, file }) => [wire, file]));
  const found = new Map<string, BeyondNamespace>();
  for (const namespace of index.namespaces) {
    if (stated.has(namespace)) continue;
    const file = files.get(namespace);
    found.set(namespace, { namespace, routes: 0, methods: 0, ...(file !== undefined && { file }) });
  }
  const names = new Set(found.keys());
  for (const route of index.routes) {
    const one = found.get(namespaceOf(route, names) ?? '');
    if (one === undefined) continue;
    one.routes += 1;
    one.methods += new Set(route.endpoints.flatMap(({ methods }) => methods)).size;
  }
  return [...found.values()].sort(
    (one, other) => Number(other.file !== undefined) - Number(one.file !== undefined),
  );
}

/** The namespace of a route: the one that it names, otherwise the longest that its pattern begins with. */
function namespaceOf({ key, raw }: SiteRoute, names: ReadonlySet<string>): string | undefined {
  if (names.size === 0) return undefined;
  const named = member(raw, 'namespace');
  if (typeof named === 'string' && named !== '') return names.has(named) ? named : undefined;
  return namespaceAbove(key, names);
}
