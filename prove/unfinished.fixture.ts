import { together } from '../sites/alterations/alteration.ts';
import { endpointOf, entryOf, listAt, objectAt } from '../sites/alterations/declarations.ts';
import { declaring } from '../sites/alterations/handling.ts';
import { readArguments } from '../sites/reference/arguments.ts';
import { isObject, type JsonObject } from '../sites/reference/json.ts';
import type { Contract, Operation } from '../sites/reference/load-contract.ts';
import { Refusal } from '../sites/reference/request.ts';
import type { Parameters } from '../sites/reference/schema.ts';
import type { Alter } from '../sites/reference/site.ts';

/** The missing parts of a site. */
export interface Unfinished {
  /** Members of the index. */
  readonly members?: readonly string[];
  /** Ids of operations, as regular expressions. */
  readonly operations?: readonly RegExp[];
  /** Parameters of operations that are neither declared nor read. */
  readonly parameters?: readonly { readonly of: RegExp; readonly names: readonly string[] }[];
  /** Missing refusals of invalid or missing values, by effect of the operation. Such a value counts as not sent. */
  readonly refusals?: readonly ('reads' | 'writes')[];
}

/**
 * A site with missing parts.
 * @param announced whether the index shows the whole site, so that missing parts answer 501
 */
export function unfinished(contract: Contract, parts: readonly Unfinished[], announced: boolean): Alter {
  const members = parts.flatMap((part) => part.members ?? []);
  const refusals = new Set<string>(parts.flatMap((part) => part.refusals ?? []));
  const isAbsent = ({ id }: Operation): boolean =>
    parts.some(({ operations = [] }) => operations.some((one) => one.test(id)));
  const absentOf = ({ id }: Operation): string[] =>
    parts.flatMap(({ parameters = [] }) => parameters.flatMap(({ of, names }) => (of.test(id) ? names : [])));
  return together(
    declaring((index) => {
      if (announced) return;
      for (const name of members) delete index[name];
      for (const operation of contract.operations) {
        const args = objectAt(endpointOf(index, operation), 'args');
        for (const name of absentOf(operation)) delete args[name];
      }
      for (const operation of contract.operations.filter(isAbsent)) withoutEndpoint(index, operation);
    }),
    () => ({
      readArguments: (parameters, given, { operation }) => {
        if (isAbsent(operation))
          throw new Refusal('rest_no_route', 'There is nothing here yet.', announced ? 501 : 404);
        const names = absentOf(operation);
        const left = { ...parameters, properties: without(parameters.properties, names) };
        const isLenient = refusals.has(operation.effect === 'reads' ? 'reads' : 'writes');
        return isLenient
          ? readLeniently({ ...left, required: [] }, without(given, names))
          : readArguments(left, without(given, names));
      },
    }),
  );
}

function withoutEndpoint(index: JsonObject, operation: Operation): void {
  const endpoint = endpointOf(index, operation);
  const entry = entryOf(index, operation);
  const endpoints = listAt(entry, 'endpoints').filter((one) => one !== endpoint);
  entry.endpoints = endpoints;
  entry.methods = [...new Set(endpoints.flatMap((one) => (isObject(one) ? listAt(one, 'methods') : [])))];
  if (endpoints.length > 0) return;
  const routes = objectAt(index, 'routes');
  for (const [pattern, one] of Object.entries(routes)) if (one === entry) delete routes[pattern];
}

/** Treats invalid arguments as not sent. */
function readLeniently(parameters: Parameters, given: JsonObject): JsonObject {
  try {
    return readArguments(parameters, given);
  } catch (refusal) {
    const invalid = refusal instanceof Refusal ? refusal.details.params : undefined;
    if (!isObject(invalid)) throw refusal;
    return readLeniently(parameters, without(given, Object.keys(invalid)));
  }
}

function without<T>(object: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
