import { isObject, type Json } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import { type Call, CONTEXT_NAMES } from '../../reference/site.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import {
  declarationAt,
  endpointOf,
  holderOf,
  otherThan,
  type Place,
  placesOf,
  whereOf,
} from '../declarations.ts';
import { indexMutant, keepingMutant, mutantsIn, withObject } from '../handling.ts';
import { isGiven, isList, isOwnWrite, kindOf } from '../selecting.ts';

/** Mutants in the declarations of operations, and mutants that apply another default than they declare. */
export function parameterMutants({ operations }: Contract): Mutants {
  return [
    [operationMutants, declarationMutants, absenceMutants, defaultMutants].map((made) =>
      operations.map(made),
    ),
    operations.filter(isList).map(nestedDefaultMutants),
  ];
}

function declarationMutants(operation: Operation): Mutants {
  const { properties, required } = operation.parameters;
  return Object.entries(properties).map(([name, schema]) =>
    placesOf(schema, requirementOf(name)).map((place) => placeMutants(operation, name, place)),
  );

  /** For a path parameter only `required` can be stated (R9). */
  function requirementOf(name: string): boolean | undefined {
    const needed = required.includes(name);
    if (listIn(properties[name], 'x-silent').includes('required')) return undefined;
    return needed || !(name in operation.pathParameters) ? needed : undefined;
  }
}

function placeMutants(operation: Operation, name: string, place: Place): Mutants {
  const where = whereOf(operation, name, place);
  const redeclared = (about: string, title: string, keyword: string, value: Json | undefined): Mutant =>
    indexMutant(about, title, (index) => {
      const declaration = declarationAt(index, operation, name, place.steps);
      if (value === undefined) delete declaration[keyword];
      else declaration[keyword] = value;
    });
  return [
    indexMutant(`${where}/declared~dropped`, `${where} is not declared`, (index) => {
      const { holder, key, variants } = holderOf(index, operation, name, place.steps);
      // A member is also declared by its variants.
      for (const one of [holder, ...variants]) delete one[key];
    }),
    [place.required]
      .filter((isRequired) => isRequired !== undefined)
      .map((isRequired) => {
        const otherwise = isRequired ? 'optional' : 'required';
        const title = `${where} is declared as ${otherwise}`;
        return redeclared(`${where}/required~${otherwise}`, title, 'required', !isRequired);
      }),
    redeclarationsOf(place.schema).map(({ kind, how, keyword, value }) =>
      redeclared(`${where}/${kind}~${how}`, `the declared ${keyword} of ${where} is ${how}`, keyword, value),
    ),
  ];
}

function operationMutants(operation: Operation): Mutants {
  const { id, batchable } = operation;
  const marked = (how: string, what: string, mark: Json | undefined): Mutant =>
    indexMutant(`${id}/batch-mark~${how}`, `the batch mark of ${id} ${what}`, (index) => {
      const endpoint = endpointOf(index, operation);
      if (mark === undefined) delete endpoint.allow_batch;
      else endpoint.allow_batch = mark;
    });
  if (!batchable) return [marked('added', 'is added', { v1: true })];
  return [marked('missing', 'is missing', undefined), marked('off', 'says false', { v1: false })];
}

function absenceMutants(operation: Operation): Mutants {
  const { id, effect } = operation;
  const { properties, absent = [] } = operation.parameters;
  const isWrite = isOwnWrite(operation);
  return [
    absent.map(({ name }) =>
      indexMutant(`${id}/${name}/absent~declared`, `${id} declares ${name}`, (index) => {
        endpointOf(index, operation).args[name] = { type: 'string' };
      }),
    ),
    absent.map(({ name, probe }) => [
      probe !== undefined && effect === 'reads' && appliedMutant(operation, name),
      isWrite && keptMutant(operation, name, `${id}/${name}`),
    ]),
    (isWrite ? (properties.meta?.['x-absent-members'] ?? []) : []).map((one) =>
      keptMutant(operation, 'meta', `${id}/meta/properties/${one.name}`),
    ),
    Object.entries(properties).map(([name, schema]) =>
      placesOf(schema, undefined).map((place) => memberMutants(operation, name, place)),
    ),
  ];
}

function appliedMutant({ id }: Operation, name: string): Mutant {
  return mutantsIn(id).answer(`${name}/absent/ignored~heeded`, `applies ${name}`, (answer, call) =>
    isGiven(call, name) ? { ...answer, body: [] } : answer,
  );
}

function keptMutant({ id, resource }: Operation, name: string, where: string): Mutant {
  return keepingMutant(
    `${where}/absent/ignored~kept`,
    `${id} keeps ${name}`,
    ['create', 'update', 'read'].flatMap((role) => resource?.operations[role]?.id ?? []),
    ({ [name]: given }, { operation }) =>
      operation.id === id && given !== undefined ? asWritten(given) : undefined,
    (record, kept) => ({ ...record, [name]: kept }),
  );
}

/** Values in an address are text. */
function asWritten(given: Json): Json {
  if (Array.isArray(given)) return given.map(asWritten);
  if (typeof given !== 'string') return given;
  if (given === 'true') return true;
  return /^\d+$/.test(given) ? Number(given) : given;
}

function memberMutants(operation: Operation, name: string, place: Place): Mutants {
  const where = whereOf(operation, name, place);
  const declaring = (about: string, member: string): Mutant =>
    indexMutant(about, `${where} declares a member ${member}`, (index) => {
      const declaration = declarationAt(index, operation, name, place.steps);
      declaration.properties = { ...declaration.properties, [member]: {} };
    });
  return [
    (place.schema['x-absent-members'] ?? []).map((one) =>
      declaring(`${where}/properties/${one.name}/absent~declared`, one.name),
    ),
    place.schema.additionalProperties === false &&
      declaring(`${where}/additionalProperties~another-member`, 'one_more'),
  ];
}

/** Orders and contexts that need another argument, or certain callers. */
const DEMANDING: readonly Json[] = ['relevance', 'include', 'include_slugs', 'edit'];

/** Parameters whose values have no effect of their own. */
const SILENT = /^oembed\.proxy\/(format|discover)$/;

/** Mutants that apply another default than declared: to everybody, or only to users. */
function defaultMutants(operation: Operation): Mutants {
  if (operation.effect !== 'reads') return [];
  return Object.entries(operation.parameters.properties)
    .filter(([name, schema]) => !(name in operation.pathParameters) && isSendable(schema))
    .map(([name, schema]) => [
      defaultMutant(operation, name, schema, 'another'),
      defaultMutant(operation, name, schema, 'differs-with-credentials'),
    ]);
}

function defaultMutant(
  { id }: Operation,
  name: string,
  schema: Schema,
  how: 'another' | 'differs-with-credentials',
): Mutant {
  const { answer, args } = mutantsIn(id, `${id}/${name}/default/applied`);
  const title = `without ${name} means another value than the declared default`;
  const isAnother = (call: Call): boolean =>
    !isGiven(call, name) && (how === 'another' || call.request.account !== undefined);
  return SILENT.test(`${id}/${name}`)
    ? answer(`~${how}`, title, (shown, call) =>
        isAnother(call) ? withObject(shown, (body) => ({ ...body, type: 'link' })) : shown,
      )
    : args(`~${how}`, title, (given, call) =>
        isAnother(call) ? { ...given, [name]: other(name, schema, call) } : given,
      );
}

/** Mutants of term filters that apply another default to a missing member. */
function nestedDefaultMutants({ id, parameters }: Operation): Mutants {
  return Object.entries(parameters.properties).map(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, schema]) => schema.default !== undefined && !Array.isArray(schema.default))
      .map(([member, schema]) => {
        const value = schema.enum?.find((one) => one !== schema.default) ?? schema.default !== true;
        const title = `without ${member} of ${name} means another value than the declared default`;
        const { args } = mutantsIn(id, `${id}/${name}/properties/${member}`);
        return args('default/applied~another', title, (all, { request }) => {
          const [given, read] = [request.query[name], all[name]];
          return isObject(given) && isObject(read) && !(member in given)
            ? { ...all, [name]: { ...read, [member]: value } }
            : all;
        });
      }),
  );
}

function isSendable(schema: Schema): boolean {
  const { default: stated } = schema;
  if (stated === undefined || stated === null) return false;
  return !(isObject(stated) && !typesOf(schema).includes('object'));
}

/** Another value with a visible effect: one that lists other records if the parameter filters a list. */
function other(name: string, schema: Schema, { site, operation }: Call): Json {
  const stated = schema.default ?? null;
  const members = schema.enum ?? schema.items?.enum;
  // Ids often have the order of the dates; titles seldom do.
  if (name === 'orderby' && members?.includes('title')) return 'title';
  if (members) {
    const found = members.find((one) => !DEMANDING.includes(one) && ![stated].flat().includes(one)) ?? null;
    return typesOf(schema).includes('array') ? [found] : found;
  }
  const known: Record<string, Json> = {
    context: 'help',
    format: 'xml',
    per_page: 1,
    maxwidth: 300,
    author: [2],
    author_exclude: [1],
    parent: [0],
    parent_exclude: [0],
    namespace: site.contract.namespaces.find((one) => one !== stated) ?? null,
  };
  const kind = kindOf(operation);
  const ids = kind ? site.store.ofKind(kind).map(({ id }) => id) : [];
  // Only some ids, so that the list is not empty.
  if (name === 'include' || name === 'exclude') return ids.filter((_, at) => at % 2 === 0);
  return known[name] ?? otherThan(stated);
}

interface Redeclaration {
  /** The requirement that it breaks, as ids of checks name it. */
  kind: string;
  how: string;
  keyword: string;
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
function redeclarationsOf(schema: Schema): Redeclaration[] {
  const found: Redeclaration[] = [];
  const add: Add = (keyword, how, value, kind = keyword) => found.push({ kind, how, keyword, value });
  alterType(schema, add);
  if (schema.default !== undefined) alterDefault(schema.default, add);
  if (listIn(schema, 'x-absent').includes('default')) add('default', 'added', 10, 'default/absent');
  if (schema.enum) alterEnum(schema.enum, add);
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
  if (contexts) alterContexts(contexts, add);
  if (variants) add('oneOf', 'another', [{ properties: { type: { enum: ['rotate'] } } }], 'variants');
  return found;
}

function listIn(schema: Schema = {}, keyword: string): readonly unknown[] {
  const value: unknown = Reflect.get(schema, keyword);
  return Array.isArray(value) ? value : [];
}

type Add = (keyword: string, how: string, value?: Json, kind?: string) => void;

function alterType(schema: Schema, add: Add): void {
  const types = typesOf(schema);
  if (types.length === 0) return;
  add('type', 'another', types.includes('boolean') ? 'integer' : 'boolean');
  // A site may name the type of a default of null (R23).
  const taken = schema.default === null ? [...types, 'null'] : types;
  const [another] = ['null', 'boolean', 'integer'].filter((type) => !taken.includes(type));
  if (another !== undefined) add('type', 'wider', [...types, another]);
  if (types.length > 1) add('type', 'narrower', types.slice(1));
  add('type', 'dropped');
}

function alterEnum(members: readonly Json[], add: Add): void {
  add('enum', 'wider', [...members, 'one-more']);
  if (members.length > 1) add('enum', 'narrower', members.slice(0, -1));
  add('enum', 'dropped');
}

function alterContexts(contexts: readonly string[], add: Add): void {
  const missing = CONTEXT_NAMES.filter((one) => !contexts.includes(one));
  if (missing.length > 0) add('context', 'wider', [...contexts, ...missing], 'contexts');
  if (contexts.length > 1) add('context', 'narrower', contexts.slice(1), 'contexts');
}

function alterDefault(value: Json, add: Add): void {
  add('default', 'another', otherThan(value));
  if (value !== null) add('default', 'dropped');
  if (typeof value === 'number') add('default', 'as-text', String(value));
}
