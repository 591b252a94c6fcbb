import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import { type Mutant, mutant } from '../alteration.ts';
import {
  endpointOf,
  holderOf,
  objectAt,
  otherThan,
  type Place,
  placesOf,
  type Redeclaration,
  redeclarationsOf,
} from '../declarations.ts';
import { handling, healthy, isGiven, isOwnWrite, kindOf, showing, turningArgs } from '../handling.ts';

/** Mutants in the declarations of the parameters of an operation: every stated constraint altered in every way. */
export function parameterMutants(operation: Operation): Mutant[] {
  const { properties, required } = operation.parameters;
  return Object.entries(properties).flatMap(([name, schema]) =>
    placesOf(schema, requirementOf(name)).flatMap((place) => placeMutants(operation, name, place)),
  );

  /** Of a path parameter only that it is required can be stated (R9). */
  function requirementOf(name: string): boolean | undefined {
    const needed = required.includes(name);
    if (isSilent(properties[name], 'required')) return undefined;
    return needed || !(name in operation.pathParameters) ? needed : undefined;
  }
}

function isSilent(schema: Schema | undefined, keyword: string): boolean {
  const silent: unknown = Reflect.get(schema ?? {}, 'x-silent');
  return Array.isArray(silent) && silent.includes(keyword);
}

function placeMutants(operation: Operation, name: string, place: Place): Mutant[] {
  const where = [operation.id, name, place.path].filter((part) => part !== '').join('/');
  const at = (index: JsonObject): ReturnType<typeof holderOf> =>
    holderOf(index, operation, name, place.steps);
  const dropped = mutant(`${where}/declared`, 'dropped', `${where} is not declared`, {
    declare: (index) => {
      const { holder, key, variants } = at(index);
      delete holder[key];
      // A member that its variants declare as well is still declared.
      for (const one of variants) delete one[key];
    },
  });
  const flipped =
    place.required === undefined
      ? []
      : [
          mutant(
            `${where}/required`,
            place.required ? 'optional' : 'required',
            `${where} is declared as ${place.required ? 'optional' : 'required'}`,
            {
              declare: (index) => {
                const { holder, key } = at(index);
                objectAt(holder, key).required = place.required !== true;
              },
            },
          ),
        ];
  return [dropped, ...flipped, ...redeclarationsOf(place.schema).map((one) => altered(where, at, one))];
}

function altered(
  where: string,
  at: (index: JsonObject) => ReturnType<typeof holderOf>,
  { kind, how, keyword, value }: Redeclaration,
): Mutant {
  return mutant(`${where}/${kind}`, how, `the declared ${keyword} of ${where} is ${how}`, {
    declare: (index) => {
      const { holder, key } = at(index);
      const declaration = objectAt(holder, key);
      if (value === undefined) delete declaration[keyword];
      else declaration[keyword] = value;
    },
  });
}

/** Mutants in what the index says of an operation beside its parameters: its methods and its batch mark. */
export function operationMutants(operation: Operation): Mutant[] {
  const mark = operation.batchable ? 'missing' : 'added';
  return [
    mutant(`${operation.id}/batch-mark`, mark, `the batch mark of ${operation.id} is ${mark}`, {
      declare: (index) => {
        const endpoint = endpointOf(index, operation);
        if (operation.batchable) delete endpoint.allow_batch;
        else endpoint.allow_batch = { v1: true };
      },
    }),
    ...(operation.batchable
      ? [
          mutant(`${operation.id}/batch-mark`, 'off', `the batch mark of ${operation.id} says false`, {
            declare: (index) => {
              endpointOf(index, operation).allow_batch = { v1: false };
            },
          }),
        ]
      : []),
  ];
}

/** Mutants that declare, heed or keep what is stated to be absent: parameters of an operation, and members of objects. */
export function absenceMutants(operation: Operation): Mutant[] {
  const { properties, absent = [] } = operation.parameters;
  return [
    ...absent.map(({ name }) =>
      mutant(`${operation.id}/${name}/absent`, 'declared', `${operation.id} declares ${name}`, {
        declare: (index) => {
          objectAt(endpointOf(index, operation), 'args')[name] = { type: 'string' };
        },
      }),
    ),
    ...absent.flatMap(({ name, probe }) => [
      ...(probe === undefined || operation.effect !== 'reads' ? [] : [heededMutant(operation, name)]),
      ...(isOwnWrite(operation) ? [keptMutant(operation, name, `${operation.id}/${name}`)] : []),
    ]),
    ...(isOwnWrite(operation) ? (properties.meta?.['x-absent-members'] ?? []) : []).map((one) =>
      keptMutant(operation, 'meta', `${operation.id}/meta/properties/${one.name}`),
    ),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      placesOf(schema, undefined).flatMap((place) => memberMutants(operation, name, place)),
    ),
  ];
}

/** A list that leaves out everything for a parameter that it does not have. */
function heededMutant({ id }: Operation, name: string): Mutant {
  return mutant(
    `${id}/${name}/absent/ignored`,
    'heeded',
    `${id} heeds ${name}`,
    handling(id, async (call) => {
      const answer = await healthy(call);
      return isGiven(call, name) ? { ...answer, body: [] } : answer;
    }),
  );
}

/** A site that keeps what was written into a field that its records do not have, and shows it. */
function keptMutant({ id, resource }: Operation, name: string, where: string): Mutant {
  const kept = new WeakMap<object, Map<number, Json>>();
  const shown = ['create', 'update', 'read'].flatMap((role) => resource?.operations[role]?.id ?? []);
  return mutant(
    `${where}/absent/ignored`,
    'kept',
    `${id} keeps ${name}`,
    showing(shown, (record, call) => {
      const { site, operation, request } = call;
      const known = kept.get(site.store) ?? new Map<number, Json>();
      kept.set(site.store, known);
      const given = { ...request.query, ...request.form, ...request.json }[name];
      if (operation.id === id && given !== undefined) known.set(Number(record.id), asWritten(given));
      const value = known.get(Number(record.id));
      return value === undefined ? record : { ...record, [name]: value };
    }),
  );
}

/** What stands in the address is text. */
function asWritten(given: Json): Json {
  if (Array.isArray(given)) return given.map(asWritten);
  if (typeof given !== 'string') return given;
  if (given === 'true') return true;
  return /^\d+$/.test(given) ? Number(given) : given;
}

function memberMutants(operation: Operation, name: string, place: Place): Mutant[] {
  const where = [operation.id, name, place.path].filter((part) => part !== '').join('/');
  const declaring = (breaks: string, how: string, member: string): Mutant =>
    mutant(breaks, how, `${where} declares a member ${member}`, {
      declare: (index) => {
        const { holder, key } = holderOf(index, operation, name, place.steps);
        membersAt(objectAt(holder, key))[member] = {};
      },
    });
  return [
    ...(place.schema['x-absent-members'] ?? []).map((one) =>
      declaring(`${where}/properties/${one.name}/absent`, 'declared', one.name),
    ),
    ...(place.schema.additionalProperties === false
      ? [declaring(`${where}/additionalProperties`, 'another-member', 'one_more')]
      : []),
  ];
}

function membersAt(declaration: JsonObject): JsonObject {
  declaration.properties ??= {};
  return objectAt(declaration, 'properties');
}

/** Orders and contexts that stand only beside another argument, or only for some callers. */
const DEMANDING: readonly Json[] = ['relevance', 'include', 'include_slugs', 'edit'];

/** Parameters whose values change nothing by themselves: without them the answer is another one. */
const SILENT = /^oembed\.proxy\/(format|discover)$/;

/** Mutants that apply another default than the declared one: to everybody, or only to callers with credentials. */
export function defaultMutants(operation: Operation): Mutant[] {
  if (operation.effect !== 'reads') return [];
  return Object.entries(operation.parameters.properties)
    .filter(([name, schema]) => !(name in operation.pathParameters) && isSendable(schema))
    .flatMap(([name, schema]) => {
      const applying = (how: string, applies: (call: Call) => boolean): Mutant =>
        mutant(
          `${operation.id}/${name}/default/applied`,
          how,
          `${operation.id} without ${name} means another value than the declared default`,
          SILENT.test(`${operation.id}/${name}`)
            ? answeringOtherwise(operation.id, (call) => !isGiven(call, name) && applies(call))
            : turningArgs(operation.id, (args, call) =>
                isGiven(call, name) || !applies(call) ? args : { ...args, [name]: other(name, schema, call) },
              ),
        );
      return [
        applying('another', () => true),
        applying('differs-with-credentials', ({ request }) => request.account !== undefined),
      ];
    });
}

/** Mutants of term filters of which a member that is left out means another value than its default. */
export function nestedDefaultMutants({ id, parameters }: Operation): Mutant[] {
  return Object.entries(parameters.properties).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([member, schema]) => {
      const value = schema.enum?.find((one) => one !== schema.default) ?? schema.default !== true;
      if (schema.default === undefined || Array.isArray(schema.default)) return [];
      return [
        mutant(
          `${id}/${name}/properties/${member}/default/applied`,
          'another',
          `${id} without ${member} of ${name} means another value than the declared default`,
          turningArgs(id, (args, { request }) => {
            const [given, read] = [request.query[name], args[name]];
            return isObject(given) && isObject(read) && !(member in given)
              ? { ...args, [name]: { ...read, [member]: value } }
              : args;
          }),
        ),
      ];
    }),
  );
}

function answeringOtherwise(id: string, applies: (call: Call) => boolean): Partial<Behaviour> {
  return handling(id, async (call) => {
    const answer = await healthy(call);
    return isObject(answer.body) && applies(call)
      ? { ...answer, body: { ...answer.body, type: 'link' } }
      : answer;
  });
}

function isSendable(schema: Schema): boolean {
  const { default: stated } = schema;
  if (stated === undefined || stated === null) return false;
  return !(isObject(stated) && !typesOf(schema).includes('object'));
}

/** Another value that shows: one that lists other records where the parameter filters a list. */
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
  // Some of them, so that what is left is still a list.
  if (name === 'include' || name === 'exclude') return ids.filter((_, at) => at % 2 === 0);
  return known[name] ?? otherThan(stated);
}
