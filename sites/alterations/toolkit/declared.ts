import { type Operation, routePattern } from '../../reference/contract.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { objectAt, type Step } from './places.ts';

/** The entry of the route of an operation in an index. @throws Error when there is none */
export function entryOf(index: JsonObject, operation: Operation): JsonObject {
  return objectAt(index, 'routes', routePattern(operation));
}

/** The endpoint of an operation in an index. @throws Error when there is none */
export function endpointOf(index: JsonObject, operation: Operation): JsonObject {
  const { endpoints } = entryOf(index, operation);
  const found = (Array.isArray(endpoints) ? endpoints : []).find(
    (one) => isObject(one) && JSON.stringify(one.methods) === JSON.stringify(operation.methods),
  );
  return objectAt(found ?? null);
}

/** What holds the declaration at a place of a parameter and in the variants beside it, and under which name. */
export function holderOf(
  index: JsonObject,
  operation: Operation,
  name: string,
  steps: readonly Step[],
): { holder: JsonObject; key: string; variants: JsonObject[] } {
  let holder = objectAt(endpointOf(index, operation), 'args');
  let key = name;
  let variants: JsonObject[] = [];
  for (const step of steps) {
    const at = objectAt(holder, key);
    holder = step.to === 'property' ? objectAt(at, 'properties') : at;
    variants =
      step.to === 'property'
        ? listAt(at, 'oneOf').flatMap((one) =>
            isObject(one) && isObject(one.properties) ? [one.properties] : [],
          )
        : [];
    key = step.to === 'property' ? step.name : step.to === 'items' ? 'items' : 'additionalProperties';
  }
  return { holder, key, variants };
}

/** The part of the ids of checks that names a route. */
export function routeName(operation: Operation): string {
  return operation.route === '/' ? 'index' : operation.route.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The list at a member of an object; empty when there is none. */
export function listAt(holder: JsonObject, key: string): Json[] {
  const value = holder[key];
  return Array.isArray(value) ? value : [];
}
