import { readArguments } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { type Parameters, type Schema, typesOf } from '../../reference/schema.ts';
import { fileAddress, permalink } from '../../reference/show-record.ts';
import type { Alter, Site } from '../../reference/site.ts';
import { type Mutant, type Mutants, mutant } from '../alteration.ts';
import { type Place, placesOf, whereOf } from '../declarations.ts';
import { atMost, mutantsIn, ofList, ofText, reading, replacing, without } from '../handling.ts';
import { isList } from '../selecting.ts';

/** Values for invalid ones where leaving these out would be refused for another reason, by operation or role. */
const REPAIRS: Readonly<Record<string, (site: Site, args: JsonObject) => Json>> = {
  'oembed.embed/url': publicAddress,
  'oembed.proxy/url': publicAddress,
  'edit/src': sourceOf,
  'delete/force': () => true,
};

function publicAddress(site: Site): string {
  const record = site.store.all().find(({ status }) => status === 'publish');
  return record ? permalink(site, record) : site.url;
}

/** The address of the file of the record with an id. */
export function sourceOf(site: Site, { id = null }: JsonObject): string {
  const stored = site.store.get(Number(id));
  return stored?.file ? fileAddress(site, stored) : site.url;
}

function repairOf({ id, resource, role }: Operation, name: string): (typeof REPAIRS)[string] | undefined {
  // Without force, records with a trash are moved there, and children are refused correctly.
  if (role === 'delete' && (resource?.trash === true || resource?.parent)) return undefined;
  return REPAIRS[`${id}/${name}`] ?? (resource && REPAIRS[`${role}/${name}`]);
}

const KEYWORDS = [
  ...(['type', 'enum', 'format', 'pattern', 'uniqueItems', 'additionalProperties'] as const),
  ...(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const),
] as const;

/** Mutants that do not enforce one keyword at one place of one parameter: invalid values count as absent. */
export function enforcementMutants({ operations }: Contract): Mutants {
  return operations.map((operation) => lenientMutants(operation, operations));
}

function lenientMutants(operation: Operation, others: readonly Operation[]): Mutants {
  const { properties, required } = operation.parameters;
  const own = Object.entries(properties).filter(([name]) => !(name in operation.pathParameters));
  return [
    isList(operation) && 'context' in properties && failingInstead(operation),
    Object.keys(operation.pathParameters).map((name) => anyPath(operation, name)),
    own.map(([name, schema]) => [
      required.includes(name) && withoutRequired(operation, name),
      oneListForAll(operation, name, others),
      placesOf(schema, undefined).map((place) => {
        if (!isLoose(operation, schema)) return placeMutants(operation, name, place);
        const isMember = operation.role === 'update' && !schema.properties?.raw && place.steps.length > 0;
        return isMember ? keywordMutants(operation, name, place, ['type']) : [];
      }),
    ]),
  ];
}

/** A server that fails where it should refuse: one cause, which the check of the first parameter reports. */
function failingInstead({ id }: Operation): Mutant {
  const { reading } = mutantsIn(id, `${id}/context/enum/enforced`);
  return reading('~fails-instead', 'fails instead of refusing an argument', (given, read) => {
    try {
      return read(given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, error.message, 500);
    }
  });
}

/** Takes any word in its path as one of the stated ones. */
function anyPath({ id, parameters }: Operation, name: string): Mutants {
  const [member] = parameters.properties[name]?.enum ?? [];
  if (member === undefined) return [];
  return mutantsIn(id).reading(`${name}/enum/enforced~lenient`, `takes any ${name}`, (given, read) => {
    try {
      return read(given);
    } catch {
      return read({ ...given, [name]: member });
    }
  });
}

function withoutRequired(operation: Operation, name: string): Mutant {
  return mutant(
    `${operation.id}/${name}/required/enforced~lenient`,
    `${operation.id} takes a request without ${name}`,
    lenient(operation, name, (parameters) => withOptional(parameters, name)),
  );
}

function withOptional({ required, ...others }: Parameters, name: string): Parameters {
  return { ...others, required: required.filter((one) => one !== name) };
}

/** Accepts the values of a parameter of the same name elsewhere in the namespace, like software with a shared list. */
function oneListForAll(operation: Operation, name: string, others: readonly Operation[]): Mutants {
  const membersOf = ({ parameters }: Operation): readonly Json[] => {
    const schema = parameters.properties[name];
    return schema?.enum ?? schema?.items?.enum ?? [];
  };
  const own = membersOf(operation);
  const all = others.filter(({ namespace }) => namespace === operation.namespace).flatMap(membersOf);
  const foreign = all.filter((one) => !own.includes(one));
  if (own.length === 0 || foreign.length === 0) return [];
  const where = operation.parameters.properties[name]?.enum === undefined ? `${name}/items` : name;
  const members = [...own, ...foreign.slice(0, 1)];
  return [
    mutant(
      `${operation.id}/${where}/enum/enforced~one-of-another`,
      `${operation.id} takes for ${name} a word that other operations take`,
      lenient(operation, name, ({ properties, ...parameters }) => {
        const { items, ...schema } = properties[name] ?? {};
        const wide = items ? { ...schema, items: { ...items, enum: members } } : { ...schema, enum: members };
        return { ...parameters, properties: { ...properties, [name]: wide } };
      }),
    ),
    operation.resource !== undefined &&
      where === name &&
      !(name in TAKEN) &&
      unknownForFirst(operation, name, all),
  ];
}

/** Takes the first member for a word that no operation lists, like software with a fallback. */
function unknownForFirst({ id, parameters }: Operation, name: string, known: readonly Json[]): Mutant {
  const { reading } = mutantsIn(id, `${id}/${name}/enum/enforced`);
  const [first = null] = parameters.properties[name]?.enum ?? [];
  const title = `takes its first ${name} for a word that no operation lists`;
  return reading('~unknown-for-first', title, (given, read) => {
    const isUnknown = typeof given[name] === 'string' && !known.includes(given[name]);
    return read(isUnknown ? { ...given, [name]: first } : given);
  });
}

function takingAt(operation: Operation, name: string, place: Place) {
  return (about: string, what: string, weaken: (schema: Schema) => Schema): Mutant =>
    mutant(
      `${whereOf(operation, name, place)}/${about}/enforced~lenient`,
      `${operation.id} takes ${what}`,
      lenient(operation, name, ({ properties, ...parameters }) => ({
        ...parameters,
        properties: { ...properties, [name]: alterAt(properties[name] ?? {}, place.steps, weaken) },
      })),
    );
}

function keywordMutants(
  operation: Operation,
  name: string,
  place: Place,
  keywords: readonly (typeof KEYWORDS)[number][],
): Mutants {
  const where = whereOf(operation, name, place);
  const taking = takingAt(operation, name, place);
  // A list of any type is one of items of any type.
  const isList = typesOf(place.schema).includes('array');
  return keywords
    .filter((keyword) => isEnforced(place.schema, keyword) && !(isList && keyword === 'type'))
    .map((keyword) =>
      taking(keyword, `values that the ${keyword} of ${where} excludes`, ({ [keyword]: _, ...rest }) => rest),
    );
}

function placeMutants(operation: Operation, name: string, place: Place): Mutants {
  const where = whereOf(operation, name, place);
  const { required = [], additionalProperties, 'x-absent-members': absent = [] } = place.schema;
  const taking = takingAt(operation, name, place);
  return [
    partlyEnforced(operation, name, place),
    firstOnly(operation, name, place),
    keywordMutants(operation, name, place, KEYWORDS),
    required.map((member) =>
      taking(`properties/${member}/required`, `${where} without ${member}`, (schema) => ({
        ...schema,
        required: required.filter((one) => one !== member),
      })),
    ),
    (additionalProperties === false ? absent : []).map((one) =>
      taking(`properties/${one.name}/absent`, `${where} with ${one.name}`, (schema) => ({
        ...schema,
        properties: { ...schema.properties, [one.name]: {} },
      })),
    ),
  ];
}

function partlyEnforced(operation: Operation, name: string, place: Place): Mutants {
  const where = whereOf(operation, name, place);
  const { reading } = mutantsIn(operation.id, where);
  return nearlyIn(operation, name, place).map(([how, title, turn]) =>
    reading(how, `${title} ${where}`, (given, read) => {
      const value = given[name];
      return read(value === undefined ? given : { ...given, [name]: turn(value) });
    }),
  );
}

function integersOf({ effect }: Operation, { maximum }: Schema): string[] {
  const carrier = effect === 'reads' ? 'query' : 'body';
  return maximum === undefined ? ['integer', `integer of a ${carrier}`] : ['limit'];
}

function nearlyIn(operation: Operation, name: string, { steps, schema }: Place): readonly Nearly[] {
  const isSent = steps.length === 0 && isAskedMuch(operation);
  const all = (...kinds: string[]): Nearly[] => kinds.flatMap((kind) => NEARLY[kind] ?? []);
  const sent = (...kinds: string[]): Nearly[] => (isSent ? all(...kinds) : []);
  const type = schema.enum === undefined ? typesOf(schema).join() : 'enum';
  if (schema.format === 'date-time') return sent('date-time');
  const place = steps.map(({ to }) => to).join();
  if (place !== '') return place === 'items' && type === 'enum' ? all('words') : [];
  if (['boolean', 'string'].includes(type)) return sent(type);
  if (type === 'integer') return [...all('fraction'), ...sent(...integersOf(operation, schema))];
  const taken = operation.resource && TAKEN[name];
  if (taken !== undefined) {
    const [first = taken] = schema.enum ?? [];
    return [[`enum/enforced~${taken}`, `takes ${taken} for`, (value) => (value === taken ? first : value)]];
  }
  if (schema.uniqueItems === true) return all('set');
  return isEnforced(schema, 'type') && type === 'array' ? [...all('list'), ...sent('integers')] : [];
}

/** For deletions, and operations with few arguments, only one wrong value is sent. */
function isAskedMuch({ resource, methods, parameters }: Operation): boolean {
  const isMuch = Object.keys(parameters.properties).length > 2;
  return isMuch && resource !== undefined && !methods.includes('DELETE');
}

function firstOnly(operation: Operation, name: string, place: Place): Mutants {
  const [step, inner, ...deeper] = place.steps;
  const { required: [member] = [], additionalProperties, properties = {}, maxLength } = place.schema;
  if (step === undefined || step.to === 'property' || deeper.length > 0) return [];
  if (place.schema['x-variants'] !== undefined) return [];
  const mutated = (about: string, repair: (object: JsonObject, first: JsonObject) => JsonObject): Mutant =>
    mutantsIn(operation.id, whereOf(operation, name, place)).reading(
      `${about}/enforced~first-only`,
      `looks at the first object alone for the ${about} of ${name}`,
      (given, read) => read({ ...given, ...repairedBehind(name, given[name], repair) }),
    );
  if (inner?.to === 'property') {
    const { name: key } = inner;
    const short = ofText((text) => text.slice(0, maxLength));
    return maxLength === undefined
      ? []
      : [mutated('maxLength', (object) => ({ ...object, [key]: short(object[key] ?? null) }))];
  }
  const isStated = ([key]: [string, Json]): boolean => Object.hasOwn(properties, key);
  const ofMembers =
    member !== undefined &&
    mutated(`properties/${member}/required`, (object, first) => ({
      [member]: first[member] ?? null,
      ...object,
    }));
  if (additionalProperties !== false) return ofMembers;
  return [
    ofMembers,
    mutated('additionalProperties', (object) => Object.fromEntries(Object.entries(object).filter(isStated))),
  ];
}

function repairedBehind(
  name: string,
  value: Json | undefined,
  repair: (object: JsonObject, first: JsonObject) => JsonObject,
): JsonObject {
  const [first, ...others] = Object.entries(value !== null && typeof value === 'object' ? value : {});
  const head = first?.[1];
  if (first === undefined || head === undefined || !isObject(head)) return {};
  const repaired = others.map(([key, one]): [string, Json] => [key, isObject(one) ? repair(one, head) : one]);
  const all = [first, ...repaired];
  return { [name]: Array.isArray(value) ? all.map(([, one]) => one) : Object.fromEntries(all) };
}

/** Words that software accepts although no enum has them. */
const TAKEN: Readonly<Record<string, string>> = { orderby: 'rand', comment_status: 'registered_only' };

type Nearly = readonly [how: string, title: string, turn: (value: Json) => Json];

const beginning = replacing(/^(\d+)[a-z]+$/, '$1');
const beginningDate = replacing(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[a-z]+$/, '$1');
const ofOne = ofList(([first = null]) => first);
const midnight = replacing(/^\d{4}-\d\d-\d\d$/, '$&T00:00:00');

/** A value for the values, but lists, whose text fits. */
function forAny(pattern: RegExp, taken: Json): (value: Json) => Json {
  return (value) => (!Array.isArray(value) && pattern.test(String(value)) ? taken : value);
}

/** Values that are nearly valid, and accepted, by kind of parameter. */
const NEARLY: Readonly<Record<string, readonly Nearly[]>> = {
  integer: [
    ['type/enforced~as-far-as-read', 'reads the number at the beginning of', beginning],
    ['type/enforced~empty-for-one', 'takes an empty text for 1 in', forAny(/^$/, 1)],
  ],
  'integer of a query': [['type/enforced~list', 'takes a list of one for', ofOne]],
  'integer of a body': [['type/enforced~boolean', 'takes true for 1 in', forAny(/^true$/, 1)]],
  string: [['type/enforced~list', 'reads a list as no text in', ofList(() => '')]],
  limit: [
    ['minimum/enforced~none-below-nothing', 'takes a negative number for no limit in', forAny(/^-\d+$/, 1)],
    ['type/enforced~empty-for-one', 'takes an empty text for 1 in', forAny(/^$/, 1)],
  ],
  boolean: [
    ['type/enforced~any-number', 'takes any number for true in', forAny(/^[2-9]$/, true)],
    ['type/enforced~yes', 'takes yes for true in', forAny(/^yes$/, true)],
    ['type/enforced~empty', 'takes an empty text for false in', forAny(/^$/, false)],
  ],
  'date-time': [
    ['format/enforced~day-alone', 'takes a day without a time for', midnight],
    ['format/enforced~as-far-as-read', 'reads the date at the beginning of', beginningDate],
    ['format/enforced~named-day', 'takes the name of a day for', forAny(/^[a-z]+$/, '2024-05-06T00:00:00')],
  ],
  fraction: [['type/enforced~rounded', 'rounds down', roundedDown]],
  words: [['enum/enforced~first-item-only', 'looks at the first item alone of', atMost(1)]],
  list: [['type/enforced~first-item-only', 'looks at the first item alone of', atMost(1)]],
  set: [['uniqueItems/enforced~neighbours-only', 'compares neighbours alone in', withoutDistantTwins]],
  integers: [['type/enforced~first-two-only', 'looks at the first two items alone of', atMost(2)]],
};

function roundedDown(value: Json): Json {
  const isFraction = ['string', 'number'].includes(typeof value) && /^-?\d+\.\d+$/.test(String(value));
  return isFraction ? Math.floor(Number(value)) : value;
}

function withoutDistantTwins(value: Json): Json {
  if (!Array.isArray(value)) return value;
  return value.filter((item, at) => value.indexOf(item) >= at - 1);
}

/** A writable object may be written in several forms (R34), so its excluded members are not stated. */
function isLoose(operation: Operation, schema: Schema): boolean {
  return operation.effect === 'writes' && operation.resource !== undefined && schema.type === 'object';
}

/** Keywords that cannot be violated for certain are not enforced: formats that any text fits, and any type. */
function isEnforced(schema: Schema, keyword: (typeof KEYWORDS)[number]): boolean {
  if (schema[keyword] === undefined || schema.readOnly === true) return false;
  if (keyword === 'additionalProperties') return schema.additionalProperties === false;
  if (keyword === 'format') return schema.format === 'date-time';
  return keyword !== 'type' || (schema.enum === undefined && hasWrongTypes(schema));
}

/** Requests are text, so a type that any text fits cannot be violated. */
function hasWrongTypes(schema: Schema): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length > 1) return types.includes('object');
  if (types[0] === 'array') return typesOf(schema.items ?? {}).includes('integer');
  return ['integer', 'boolean', 'string'].includes(types[0] ?? '');
}

/** Accepts invalid values of a parameter: they are dropped, or replaced if it is required. */
function lenient(broken: Operation, name: string, weaken: (parameters: Parameters) => Parameters): Alter {
  const { parameters } = broken;
  const repair = repairOf(broken, name);
  return reading(broken.id, (given, read, { site }) => {
    try {
      return read(given);
    } catch {
      readArguments(weaken(parameters), given);
      const args = readArguments(withOptional(parameters, name), without(given, name));
      return repair ? { ...args, [name]: repair(site, args) } : args;
    }
  });
}

function alterAt(schema: Schema, steps: Place['steps'], change: (schema: Schema) => Schema): Schema {
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
