import { invalidParameters } from '../../reference/arguments.ts';
import { integer, isObject, type Json } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Alter, Asked } from '../../reference/site.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import { declarationAt, type Place, placesOf, whereOf } from '../declarations.ts';
import { declaring, mutantsIn, reading, without } from '../handling.ts';
import { isOwnWrite, takesForms, topicOf } from '../selecting.ts';

/** A valid boundary value of a schema that a strict site refuses. */
interface Edge {
  kind: string;
  how: string;
  /** Whether a value of the declared type is this boundary value. */
  is: (value: Json) => boolean;
}

/** Mutants that are stricter than the contract: they refuse one valid value, or show less than requested. */
export function strictnessMutants({ operations }: Pick<Contract, 'operations'>): Mutants {
  return [operations.map(refusalMutants), operations.map(orderMutants), operations.map(cappedMutants)];
}

function refusalMutants(operation: Operation): Mutants {
  return Object.entries(operation.parameters.properties)
    .filter(([name]) => !(name in operation.pathParameters))
    .map(([name, schema]) => [
      placesOf(schema, undefined)
        .filter((place) => place.schema.readOnly !== true)
        .map((place) => edgeMutants(operation, name, place)),
      spellingMutants(operation, name, schema),
      memberMutants(operation, name, schema),
    ]);
}

/** Lists that refuse an order in one direction alone. */
function orderMutants({ id, parameters, resource }: Operation): Mutants {
  const members = parameters.properties.orderby?.enum ?? [];
  if (resource === undefined || resource.parent !== undefined) return [];
  return ['include', 'include_slugs', 'title']
    .filter((member) => members.includes(member))
    .map((member) =>
      mutantsIn(id).args(`orderby/filters/${member}~never-rising`, `refuses a rising ${member}`, (given) => {
        if (given.orderby !== member || given.order !== 'asc') return given;
        throw new Refusal('rest_invalid_param', 'Invalid parameter(s): order', 400);
      }),
    );
}

function memberMutants({ id, effect }: Operation, name: string, { items }: Schema): Mutants {
  const members = items?.enum?.length ?? 0;
  if (effect !== 'reads' || members < 3) return [];
  const isAny = (_raw: Json, value: Json): boolean => Array.isArray(value) && value.join() === 'any';
  const refused = (how: string, title: string, is: (count: number) => boolean): Mutant =>
    mutant(
      `${id}/${name}~${how}`,
      `${id} refuses ${title} of ${name}`,
      refusing(id, name, (_raw, value) => Array.isArray(value) && is(value.length)),
    );
  return [
    refused('never-alone', 'one member alone', (count) => count === 1),
    // All members of a short list are never sent together.
    members > 3 && refused('never-many', 'more than two members', (count) => count > 2),
    items?.enum?.includes('any') === true &&
      mutant(
        `${id}/${name}/filters~refuses-any-alone`,
        `${id} takes any for ${name} beside another member alone`,
        refusing(id, name, isAny),
      ),
  ];
}

function edgeMutants(operation: Operation, name: string, place: Place): Mutants {
  const where = whereOf(operation, name, place);
  // Deletion without force is up to the site (R21), and for revisions a rule of the value (R8).
  if (operation.resource && operation.role === 'delete') return [];
  return [...edgesOf(place.schema), ...innerEdges(operation, place)].map(({ kind, how, is }) =>
    mutant(
      breaking(operation, name, `${where}/${kind}/accepted`, how),
      `${operation.id} refuses a valid value of ${where}: ${how}`,
      refusing(operation.id, name, (_raw, value) => valuesAt(value, place.steps).some(is)),
    ),
  );
}

/** Values of the argument itself are covered by its spellings. */
function innerEdges({ effect }: Operation, { steps, schema }: Place): Edge[] {
  if (effect !== 'reads' || steps.length === 0) return [];
  const types = typesOf(schema);
  if (types.includes('integer'))
    return [{ kind: 'type', how: 'without-one', is: (value: Json): boolean => value === 1 }];
  const several = (value: Json): boolean => Array.isArray(value) && value.length > 1;
  const isInObject = steps.some(({ to }) => to === 'property');
  return isInObject && types.includes('array') ? [{ kind: 'type', how: 'without-several', is: several }] : [];
}

/** Where no check of accepted values exists, some other check of the parameter detects the mutant. */
function breaking(operation: Operation, name: string, where: string, how: string): string {
  const { id, resource, role, effect, parameters } = operation;
  // Plain records are created as drafts, so a refused draft is reported by the creation.
  const isDraft = resource?.kind === 'records' && role === 'create' && name === 'status';
  if (isDraft && how === 'without-draft') return `${id}/record~refuses-drafts`;
  const isText = parameters.properties[name]?.properties?.raw !== undefined;
  const isAsked = (isOwnWrite(operation) || takesForms(operation)) && !isText && how !== 'json-only';
  if (effect === 'alters-site' && how === 'json-only') return `${id}/form~without-${name}`;
  if (effect !== 'writes' || isAsked) return `${where}~${how}`;
  const place = where.slice(`${id}/${name}/`.length).replaceAll('/', '-');
  const topic = topicOf(operation);
  return topic === undefined ? `${id}/${name}~${place}-${how}` : `${topic}~${name}-${place}-${how}`;
}

function edgesOf(schema: Schema): Edge[] {
  const edges: Edge[] = [];
  for (const member of schema.enum ?? []) {
    edges.push({ kind: 'enum', how: `without-${String(member)}`, is: (value) => value === member });
  }
  for (const kind of ['minimum', 'maximum', 'minItems', 'maxItems'] as const) {
    const limit = schema[kind];
    const is = (value: Json): boolean => (Array.isArray(value) ? value.length : value) === limit;
    if (limit !== undefined) edges.push({ kind, how: 'off-by-one', is });
  }
  const longest = schema.maxLength;
  if (longest !== undefined) {
    const is = (value: Json): boolean => typeof value === 'string' && value.length >= longest;
    edges.push({ kind: 'maxLength', how: 'counting-code-units', is });
  }
  if (schema.format === 'date-time') {
    const is = (value: Json): boolean => typeof value === 'string' && /[+-]\d\d:\d\d$/.test(value);
    edges.push({ kind: 'format', how: 'without-offsets', is });
  }
  for (const [at, example] of (schema['x-examples'] ?? []).entries()) {
    const text = JSON.stringify(example);
    edges.push({ kind: 'type', how: `without-example-${at}`, is: (value) => JSON.stringify(value) === text });
  }
  if (typesOf(schema).includes('boolean') && schema.enum === undefined) {
    edges.push({ kind: 'type', how: 'without-false', is: (value) => value === false });
  }
  return edges;
}

/** Operations that refuse a member of an object in a form, or lose it. What an autosave keeps is unspecified. */
function memberFormMutants(operation: Operation, name: string, { properties = {} }: Schema): Mutants {
  const { id } = operation;
  return Object.keys(properties)
    .filter((key) => properties[key]?.readOnly !== true && !('raw' in properties))
    .map((key) => {
      const isInForm = (raw: Json, _value: Json, { request }: Asked): boolean =>
        Object.hasOwn(request.form, name) && isObject(raw) && Object.hasOwn(raw, key);
      const { args } = mutantsIn(id, `${id}/${name}/${key}/form`);
      return [
        mutant(
          `${id}/${name}/${key}/form~json-only`,
          `${id} refuses ${key} in ${name} in a form`,
          refusing(id, name, isInForm),
        ),
        isOwnWrite(operation) &&
          args('~lost', `loses ${key} in ${name} in a form`, (given, { request }) => {
            const value = given[name];
            if (!(Object.hasOwn(request.form, name) && isObject(value))) return given;
            return { ...given, [name]: without(value, key) };
          }),
      ];
    });
}

/** Lists are written with brackets, and text in a form or an address counts like JSON. */
function spellingMutants(operation: Operation, name: string, schema: Schema): Mutants {
  const { id, effect } = operation;
  const types = typesOf(schema);
  // Items of which nothing is stated are not sent.
  const [item = 'string'] = schema.items === undefined ? [''] : typesOf(schema.items);
  const isInJson = (request: Asked['request']): boolean => Object.hasOwn(request.json ?? {}, name);
  const spelt = (how: string, is: (raw: Json) => boolean): Mutant =>
    mutant(
      breaking(operation, name, `${id}/${name}/type/accepted`, how),
      `${id} does not take ${name} in one of its spellings: ${how}`,
      refusing(id, name, (raw, _value, { request }) => !isInJson(request) && is(raw)),
    );
  if (takesForms(operation)) {
    const isInForm = (_raw: Json, _value: Json, { request }: Asked): boolean =>
      Object.hasOwn(request.form, name);
    if (types.includes('object')) return memberFormMutants(operation, name, schema);
    const formless = refusing(id, name, isInForm);
    const { reading } = mutantsIn(id, `${id}/${name}/form`);
    return [
      mutant(`${id}/${name}/form~json-only`, `${id} refuses ${name} in a form`, formless),
      types.includes('boolean') &&
        isOwnWrite(operation) &&
        reading('~text-is-true', `takes a false ${name} in a form for true`, (given, read, { request }) =>
          read(request.form[name] === 'false' ? { ...given, [name]: true } : given),
        ),
    ];
  }
  if (effect === 'reads' && types.includes('array') && ['string', 'integer'].includes(item)) {
    return [spelt('without-brackets', Array.isArray)];
  }
  if (effect === 'reads' && types.includes('array') && types.includes('string')) {
    return [spelt('without-text', (raw) => typeof raw === 'string')];
  }
  return types.includes('integer') ? [spelt('json-only', (raw) => typeof raw === 'string')] : [];
}

function refusing(
  id: string,
  name: string,
  isRefused: (raw: Json, value: Json, asked: Asked) => boolean,
): Alter {
  return reading(id, (given, read, asked) => {
    const args = read(given);
    const raw = given[name];
    if (raw !== undefined && isRefused(raw, args[name] ?? null, asked)) {
      throw invalidParameters({ [name]: 'Not this one.' });
    }
    return args;
  });
}

const CAP = 50;

function cappedMutants(operation: Operation): Mutants {
  const { id, parameters, effect } = operation;
  const most = parameters.properties.per_page?.maximum;
  if (effect !== 'reads' || most === undefined || most <= CAP) return [];
  const about = `${id}/per_page/maximum`;
  const capped = reading(id, (given, read) => {
    const args = read(given);
    if (integer(args.per_page, 0) > CAP) throw invalidParameters({ per_page: 'Not so many.' });
    return args;
  });
  return [
    mutant(`${about}/accepted~capped`, `${id} lists ${CAP} records at most`, capped),
    mutant(
      `${about}~declared-and-capped`,
      `${id} declares and lists ${CAP} records at most`,
      together(
        capped,
        declaring((index) => {
          declarationAt(index, operation, 'per_page').maximum = CAP;
        }),
      ),
    ),
  ];
}

function valuesAt(value: Json, steps: Place['steps']): Json[] {
  const [step, ...rest] = steps;
  if (!step) return [value];
  if (step.to === 'items')
    return Array.isArray(value) ? value.flatMap((member) => valuesAt(member, rest)) : [];
  if (!isObject(value)) return [];
  if (step.to === 'members') return Object.values(value).flatMap((member) => valuesAt(member, rest));
  const member = value[step.name];
  return member === undefined ? [] : valuesAt(member, rest);
}
