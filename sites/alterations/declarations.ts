import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import { type Operation, routePattern } from '../reference/load-contract.ts';
import type { Schema } from '../reference/schema.ts';
import type { Arg, Endpoint, Entry, IndexDocument } from '../reference/site.ts';

type Step = { to: 'items' } | { to: 'members' } | { to: 'property'; name: string };

/** A schema at some depth of a parameter. */
export interface Place {
  /** Its part of check ids: empty for the parameter itself, otherwise such as `properties/terms/items`. */
  path: string;
  steps: Step[];
  schema: Schema;
  /** Whether its object requires it; undefined if that is not stated. */
  required: boolean | undefined;
}

/** All places of a parameter, the outermost first. */
export function placesOf(schema: Schema, required: boolean | undefined, steps: Step[] = []): Place[] {
  const names = steps.map((step) => (step.to === 'property' ? `properties/${step.name}` : step.to));
  const places: Place[] = [{ path: names.join('/'), steps, schema, required }];
  if (schema.items) places.push(...placesOf(schema.items, undefined, [...steps, { to: 'items' }]));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name);
    places.push(...placesOf(member, needed, [...steps, { to: 'property', name }]));
  }
  if (isObject(schema.additionalProperties)) {
    places.push(...placesOf(schema.additionalProperties, undefined, [...steps, { to: 'members' }]));
  }
  return places;
}

/** The entry of the route of an operation in an index. @throws Error when there is none */
export function entryOf({ routes }: IndexDocument, operation: Operation): Entry {
  return found(routes[routePattern(operation)]);
}

/** All endpoints in an index. */
export function endpointsIn({ routes }: IndexDocument): Endpoint[] {
  return Object.values(routes).flatMap(({ endpoints }) => endpoints);
}

/** The endpoint of an operation in an index. @throws Error when there is none */
export function endpointOf(index: IndexDocument, operation: Operation): Endpoint {
  const { endpoints } = entryOf(index, operation);
  return found(endpoints.find(({ methods }) => methods.join() === operation.methods.join()));
}

/** The objects with the declaration at a place of a parameter, its variants included, and the key in them. */
export function holderOf(
  index: IndexDocument,
  operation: Operation,
  name: string,
  steps: readonly Step[],
): { holder: JsonObject; key: string; variants: JsonObject[] } {
  const { args } = endpointOf(index, operation);
  const step = steps.at(-1);
  if (step === undefined) return { holder: args, key: name, variants: [] };
  const above = declarationAt(index, operation, name, steps.slice(0, -1));
  if (step.to !== 'property')
    return { holder: above, key: step.to === 'items' ? 'items' : 'additionalProperties', variants: [] };
  const { properties = {}, oneOf = [] } = above;
  return { holder: properties, key: step.name, variants: oneOf.flatMap((one) => one.properties ?? []) };
}

/** The declaration at a place of a parameter. @throws Error when there is none */
export function declarationAt(
  index: IndexDocument,
  operation: Operation,
  name: string,
  steps: readonly Step[] = [],
): Arg {
  const { holder, key } = holderOf(index, operation, name, steps);
  const declaration = holder[key];
  return found(declaration !== undefined && isObject(declaration) ? declaration : undefined);
}

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('the index does not declare this');
  return one;
}

/** Changes every parameter in an index, with its items and members. */
export function eachArg(index: IndexDocument, change: (arg: Arg) => void): void {
  const inside = (arg: Arg): void => {
    for (const inner of Object.values(arg.properties ?? {})) inside(inner);
    if (arg.items !== undefined) inside(arg.items);
    change(arg);
  };
  for (const { args } of endpointsIn(index)) for (const arg of Object.values(args)) inside(arg);
}

/** The first parts of the ids of checks of a place. */
export function whereOf({ id }: Operation, name: string, { path }: Place): string {
  return [id, name, path].filter((part) => part !== '').join('/');
}

/** Another value of the same type, with another meaning. */
export function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}-other`;
  if (Array.isArray(value)) return [...value, 'other'];
  return value === null ? 'other' : { ...value, other: true };
}
