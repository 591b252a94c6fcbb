import { byName } from '../../client/json.ts';
import type { SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Amendment, Amendments } from '../../specs/operation-file.ts';
import { declarationIn, findRoute, servedMethods } from '../declarations/find-route.ts';
import { readParameters } from './parameter-schema.ts';
import { templateOf } from './site-surface.ts';

/** A place where an index contradicts a contract. */
export interface Contradiction {
  readonly message: string;
  /** Where it is, in the words of the site. */
  readonly at: string;
  readonly operation?: string | undefined;
  readonly parameter?: string | undefined;
  /** The neutral path of a route, where it is about no operation. */
  readonly place?: string | undefined;
}

/** How what a site publishes differs from the built-in files that fit it. */
export interface PublishedDifference {
  readonly amendments: Amendments;
  /** Contradictions that the amendments accept. */
  readonly amended: readonly Contradiction[];
  /** Contradictions that stay failures: the contract is not amended. */
  readonly kept: readonly Contradiction[];
  /** The built-in files that need no amendment. */
  readonly held: readonly string[];
}

/** The operations that a contradiction affects: one, or all of its route. */
export function operationsOf({ operations }: Contract, { operation, place }: Contradiction): Operation[] {
  return operations.filter(({ id, route }) =>
    operation === undefined ? route.path === place : id === operation,
  );
}

/** The amendments for each operation that the index of a site contradicts. @param known in the words of the site */
export function amendmentsOf(
  index: SiteIndex,
  known: Contract,
  contradictions: readonly Contradiction[],
): Amendments {
  const places = new Map<Operation, Set<string | undefined>>();
  for (const contradiction of contradictions) {
    for (const operation of operationsOf(known, contradiction)) {
      const named = places.get(operation) ?? new Set();
      places.set(operation, named.add(contradiction.parameter));
    }
  }
  const found = [...places]
    .map(([operation, named]) => [operation.id, amendment(index, operation, named)] as const)
    .filter(([, one]) => Object.keys(one).length > 0);
  return Object.fromEntries(found.toSorted(byName));
}

function amendment(
  index: SiteIndex,
  operation: Operation,
  named: ReadonlySet<string | undefined>,
): Amendment {
  const match = findRoute(index, operation.route);
  const served = servedMethods(index, operation);
  if (match === undefined || served.length === 0) return { served: false };
  const methods = served.map(({ method }) => method);
  const endpoints = served.flatMap((one) => one.endpoints);
  const names = [...named].filter((name) => name !== undefined).sort();
  const known = [...operation.parameters, ...operation.absent];
  const wireOf = (name: string): string => known.find((one) => one.name === name)?.wire ?? name;
  const declared = names.map((name) => [name, declarationIn(endpoints, wireOf(name))] as const);
  const without = declared.filter(([, raw]) => raw === undefined).map(([name]) => name);
  // Findings of the linter are reported by the function that reads the whole index.
  const parameters = readParameters(
    declared.filter(([, raw]) => raw !== undefined),
    (name) => `${operation.id}: ${name}`,
    () => {},
  );
  const batchable = endpoints.some(({ batch }) => batch);
  return {
    ...(methods.length < operation.methods.length && { methods }),
    ...(batchable !== operation.batchable && { batchable }),
    ...(match.pathParameters.size > 0 && capturesOf(operation, match.route)),
    ...(parameters.properties !== undefined && { parameters }),
    ...(without.length > 0 && { without }),
  };
}

function capturesOf({ route }: Operation, { parts }: SiteRoute): Pick<Amendment, 'captures'> {
  const template = templateOf(parts);
  if (template === undefined) return {};
  const captures = route.pathParameters.flatMap(({ name }, at) => {
    const taken = template.captures[template.names[at] ?? ''];
    return taken === undefined ? [] : [[name, taken] as const];
  });
  return { captures: Object.fromEntries(captures) };
}
