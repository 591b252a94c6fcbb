import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Schema } from '../../reference/schema.ts';

/** How to get from a schema to one inside it. */
export type Step = { to: 'items' } | { to: 'members' } | { to: 'property'; name: string };

/** A schema at some depth of a parameter. */
export interface Place {
  /** The part of check ids that names it: empty for the parameter itself, else such as `properties/terms/items`. */
  path: string;
  steps: Step[];
  schema: Schema;
  /** Whether its object requires it; undefined where nothing is stated. */
  required: boolean | undefined;
}

/** All places of a parameter, the outermost first. */
export function placesOf(schema: Schema, required: boolean | undefined, steps: Step[] = []): Place[] {
  const places: Place[] = [{ path: steps.map(nameOf).join('/'), steps, schema, required }];
  if (schema.items) places.push(...placesOf(schema.items, undefined, [...steps, { to: 'items' }]));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name) ? true : undefined;
    places.push(...placesOf(member, needed, [...steps, { to: 'property', name }]));
  }
  if (isObject(schema.additionalProperties)) {
    places.push(...placesOf(schema.additionalProperties, undefined, [...steps, { to: 'members' }]));
  }
  return places;
}

function nameOf(step: Step): string {
  return step.to === 'property' ? `properties/${step.name}` : step.to;
}

/** A copy of `schema` in which the schema at the end of `steps` is changed. */
export function alterAt(schema: Schema, steps: readonly Step[], change: (schema: Schema) => Schema): Schema {
  const [step, ...rest] = steps;
  if (!step) return change(schema);
  const inner = (child: Schema): Schema => alterAt(child, rest, change);
  if (step.to === 'items') return { ...schema, items: inner(schema.items ?? {}) };
  if (step.to === 'members') {
    const members = isObject(schema.additionalProperties) ? schema.additionalProperties : {};
    return { ...schema, additionalProperties: inner(members) };
  }
  const properties = schema.properties ?? {};
  return { ...schema, properties: { ...properties, [step.name]: inner(properties[step.name] ?? {}) } };
}

/** All values that stand at a place of an argument. */
export function valuesAt(value: Json, steps: readonly Step[]): Json[] {
  const [step, ...rest] = steps;
  if (!step) return [value];
  if (step.to === 'items')
    return Array.isArray(value) ? value.flatMap((member) => valuesAt(member, rest)) : [];
  if (!isObject(value)) return [];
  if (step.to === 'members') return Object.values(value).flatMap((member) => valuesAt(member, rest));
  const member = value[step.name];
  return member === undefined ? [] : valuesAt(member, rest);
}

/**
 * The object inside `value` at the end of a path of names and positions.
 * @throws Error when there is none
 */
export function objectAt(value: Json, ...path: (string | number)[]): JsonObject {
  let found: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else found = isObject(found) ? found[step] : undefined;
  }
  if (!isObject(found)) throw new Error(`no object at ${path.join('/')}`);
  return found;
}
