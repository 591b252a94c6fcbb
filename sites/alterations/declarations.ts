import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import { type Operation, routePattern } from '../reference/load-contract.ts';
import { type Schema, typesOf } from '../reference/schema.ts';
import { CONTEXT_NAMES } from '../reference/site.ts';

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
  const places: Place[] = [{ path: steps.map(nameOf).join('/'), steps, schema, required }];
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

function nameOf(step: Step): string {
  return step.to === 'property' ? `properties/${step.name}` : step.to;
}

/** A copy of `schema` with the schema at the end of `steps` changed. */
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

/** All values at a place of an argument. */
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

/** The object inside `value` at a path of names and positions. @throws Error if there is none */
export function objectAt(value: Json, ...path: (string | number)[]): JsonObject {
  let found: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else found = isObject(found) ? found[step] : undefined;
  }
  if (!isObject(found)) throw new Error(`no object at ${path.join('/')}`);
  return found;
}

/** The entry of the route of an operation in an index. @throws Error when there is none */
export function entryOf(index: JsonObject, operation: Operation): JsonObject {
  return objectAt(index, 'routes', routePattern(operation));
}

/** The endpoints of a route in an index. */
export function endpointsIn(route: Json): JsonObject[] {
  const endpoints = isObject(route) ? listAt(route, 'endpoints') : [];
  return endpoints.flatMap((one) => (isObject(one) ? [one] : []));
}

/** The endpoint of an operation in an index. @throws Error when there is none */
export function endpointOf(index: JsonObject, operation: Operation): JsonObject {
  const found = endpointsIn(entryOf(index, operation)).find(
    ({ methods }) => JSON.stringify(methods) === JSON.stringify(operation.methods),
  );
  return objectAt(found ?? null);
}

/** The objects with the declaration at a place of a parameter, its variants included, and the key in them. */
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

/** The declaration at a place of a parameter. @throws Error when there is none */
export function declarationAt(
  index: JsonObject,
  operation: Operation,
  name: string,
  steps: readonly Step[] = [],
): JsonObject {
  const { holder, key } = holderOf(index, operation, name, steps);
  return objectAt(holder, key);
}

/** The first parts of the ids of checks of a place. */
export function whereOf({ id }: Operation, name: string, { path }: Place): string {
  return [id, name, path].filter((part) => part !== '').join('/');
}

/** The list at a member of an object; empty when there is none. */
export function listAt(holder: JsonObject, key: string): Json[] {
  const value = holder[key];
  return Array.isArray(value) ? value : [];
}

/** Another value for one keyword of a declaration. */
interface Redeclaration {
  /** The requirement that it breaks, as ids of checks name it. */
  kind: string;
  how: string;
  keyword: string;
  /** Undefined drops the keyword. */
  value: Json | undefined;
}

/** The direction that narrows each limit. */
const LIMITS = [
  ['minimum', 1],
  ['minLength', 1],
  ['minItems', 1],
  ['maximum', -1],
  ['maxLength', -1],
  ['maxItems', -1],
] as const;

/** All altered declarations of the stated constraints of `schema`. */
export function redeclarationsOf(schema: Schema): Redeclaration[] {
  const found: Redeclaration[] = [];
  const add: Add = (keyword, how, value, kind = keyword) => found.push({ kind, how, keyword, value });
  alterType(schema, add);
  if (schema.default !== undefined) alterDefault(schema.default, add);
  const absent: unknown = Reflect.get(schema, 'x-absent');
  if (Array.isArray(absent) && absent.includes('default')) add('default', 'added', 10, 'default/absent');
  if (schema.enum) {
    add('enum', 'wider', [...schema.enum, 'one-more']);
    if (schema.enum.length > 1) add('enum', 'narrower', schema.enum.slice(0, -1));
    add('enum', 'dropped');
  }
  const others = { format: schema.format === 'email' ? 'uri' : 'email', pattern: '^never$' };
  for (const keyword of ['format', 'pattern'] as const) {
    if (schema[keyword] === undefined) continue;
    add(keyword, 'another', others[keyword]);
    add(keyword, 'dropped');
  }
  if (schema.uniqueItems === true) add('uniqueItems', 'dropped');
  if (typeof schema.additionalProperties === 'boolean') {
    add('additionalProperties', 'turned', !schema.additionalProperties);
  }
  for (const [keyword, narrower] of LIMITS) {
    const limit = schema[keyword];
    if (limit === undefined) continue;
    add(keyword, 'narrower', limit + narrower);
    add(keyword, 'wider', limit - narrower);
    add(keyword, 'dropped');
  }
  const { 'x-contexts': contexts, 'x-variants': variants } = schema;
  if (contexts) {
    const missing = CONTEXT_NAMES.filter((one) => !contexts.includes(one));
    if (missing.length > 0) add('context', 'wider', [...contexts, ...missing], 'contexts');
    if (contexts.length > 1) add('context', 'narrower', contexts.slice(1), 'contexts');
  }
  if (variants) add('oneOf', 'another', [{ properties: { type: { enum: ['rotate'] } } }], 'variants');
  return found;
}

type Add = (keyword: string, how: string, value?: Json, kind?: string) => void;

function alterType(schema: Schema, add: Add): void {
  const types = typesOf(schema);
  if (types.length === 0) return;
  add('type', 'another', types.includes('boolean') ? 'integer' : 'boolean');
  add('type', 'wider', [...types, types.includes('null') ? 'boolean' : 'null']);
  if (types.length > 1) add('type', 'narrower', types.slice(1));
  add('type', 'dropped');
}

function alterDefault(value: Json, add: Add): void {
  add('default', 'another', otherThan(value));
  if (value !== null) add('default', 'dropped');
  if (typeof value === 'number') add('default', 'as-text', String(value));
}

/** Another value of the same type, with another meaning. */
export function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}-other`;
  if (Array.isArray(value)) return [...value, 'other'];
  return value === null ? 'other' : { ...value, other: true };
}

/** A parameter as the reference deployment declares it. */
export interface Arg {
  type?: string | string[];
  required?: unknown;
  default?: unknown;
  enum?: unknown[];
  items?: Arg;
  properties?: Record<string, Arg>;
  [key: string]: unknown;
}

interface Endpoint {
  methods: string[];
  args: Record<string, Arg>;
  allow_batch?: unknown;
}

/** A route of the reference deployment. */
export interface Entry {
  namespace: string;
  methods: string[];
  endpoints: Endpoint[];
  _links?: unknown;
}

/** The index of the reference deployment, to be changed. */
export interface IndexDocument {
  namespaces: string[];
  routes: Record<string, Entry>;
  [key: string]: unknown;
}
