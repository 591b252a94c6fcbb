import { readArguments } from '../../reference/arguments.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { type Parameters, type Schema, typesOf } from '../../reference/schema.ts';
import { fileAddress, permalink } from '../../reference/show-record.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { alterAt, type Place, placesOf } from '../declarations.ts';
import { handling, healthy, without } from '../handling.ts';

/** Stands for a value that a lenient site did not refuse. */
export const REPAIRED = 'http://127.0.0.1/repaired';

type Repair = (call: Call) => Call;

/**
 * What a lenient site makes of a value that it should refuse, by operation and parameter: where leaving the value out is
 * refused for its meaning, being lenient would not show otherwise.
 */
const REPAIRS: Readonly<Record<string, Repair>> = {
  'oembed.embed/url': withRecord,
  'oembed.proxy/url': withRecord,
};

/** As `REPAIRS`, by the role of the operation on a resource, and the parameter. */
const ROLE_REPAIRS: Readonly<Record<string, Repair>> = {
  'edit/src': (call) => {
    const stored = call.site.store.get(Number(call.args.id));
    return withArgument(call, 'src', stored?.file ? fileAddress(call.site, stored) : null);
  },
  'delete/force': (call) => withArgument(call, 'force', true),
  'read/password': withoutPassword,
};

function repairOf({ id, resource, role }: Operation, name: string): Repair | undefined {
  // Without force, what has a trash is moved there, and what is a child of another is refused for good.
  if (role === 'delete' && (resource?.trash === true || resource?.parent)) return undefined;
  return REPAIRS[`${id}/${name}`] ?? (resource && ROLE_REPAIRS[`${role}/${name}`]);
}

/** Whether a lenient site has to make something of a value. */
function isRepaired(operation: Operation, name: string): boolean {
  return repairOf(operation, name) !== undefined;
}

/** A site that makes something of the argument `REPAIRED`; as usual where that is not needed. */
export function repairing(operation: Operation, name: string): Partial<Behaviour> {
  const repair = repairOf(operation, name);
  if (!repair) return {};
  return handling(operation.id, (call) => healthy(call.args[name] === REPAIRED ? repair(call) : call));
}

function withArgument(call: Call, name: string, value: Json): Call {
  return { ...call, args: { ...call.args, [name]: value } };
}

function withRecord(call: Call): Call {
  const record = call.site.store.all().find(({ status }) => status === 'publish');
  return withArgument(call, 'url', record ? permalink(call.site, record) : null);
}

function withoutPassword(call: Call): Call {
  const request = { ...call.request, query: without(call.request.query, 'password') };
  return { ...call, request, args: without(call.args, 'password') };
}

const KEYWORDS = [
  'type',
  'enum',
  'format',
  'pattern',
  'uniqueItems',
  'additionalProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** Mutants that take the enforcement of one keyword at one place of one parameter away: such values count as absent. */
export function enforcementMutants(operation: Operation): Mutant[] {
  const { properties, required } = operation.parameters;
  return Object.entries(properties)
    .filter(([name]) => !(name in operation.pathParameters))
    .flatMap(([name, schema]) => [
      ...(required.includes(name) ? [withoutRequired(operation, name)] : []),
      ...(isLoose(operation, schema) ? [] : placesOf(schema, undefined)).flatMap((place) =>
        placeMutants(operation, name, place),
      ),
    ]);
}

function withoutRequired(operation: Operation, name: string): Mutant {
  const weaken = (parameters: Parameters): Parameters => ({
    ...parameters,
    required: parameters.required.filter((one) => one !== name),
  });
  return mutant(
    `${operation.id}/${name}/required/enforced`,
    'lenient',
    `${operation.id} takes a request without ${name}`,
    lenient(operation, name, weaken),
  );
}

function placeMutants(operation: Operation, name: string, place: Place): Mutant[] {
  const where = [operation.id, name, place.path].filter((part) => part !== '').join('/');
  const keywords = KEYWORDS.filter((keyword) => isEnforced(place.schema, keyword)).map((keyword) => {
    const weaken = changing(name, place, ({ [keyword]: _, ...rest }) => rest);
    return mutant(
      `${where}/${keyword}/enforced`,
      'lenient',
      `${operation.id} takes values that the ${keyword} of ${where} excludes`,
      lenient(operation, name, weaken),
    );
  });
  const members = (place.schema.required ?? []).map((member) => {
    const weaken = changing(name, place, (schema) => ({
      ...schema,
      required: (schema.required ?? []).filter((one) => one !== member),
    }));
    return mutant(
      `${where}/properties/${member}/required/enforced`,
      'lenient',
      `${operation.id} takes ${where} without ${member}`,
      lenient(operation, name, weaken),
    );
  });
  const excluded = place.schema.additionalProperties === false ? place.schema['x-absent-members'] : undefined;
  const taken = (excluded ?? []).map((one) => {
    const weaken = changing(name, place, (schema) => ({
      ...schema,
      properties: { ...schema.properties, [one.name]: {} },
    }));
    return mutant(
      `${where}/properties/${one.name}/absent/enforced`,
      'lenient',
      `${operation.id} takes ${where} with ${one.name}`,
      lenient(operation, name, weaken),
    );
  });
  return [...keywords, ...members, ...taken];
}

/** A writable object may be written in more than one form (R34): what it excludes is not stated. */
function isLoose(operation: Operation, schema: Schema): boolean {
  return operation.effect === 'writes' && operation.resource !== undefined && schema.type === 'object';
}

/** What cannot be broken for sure is not enforced either: texts of formats without a form, types of anything. */
function isEnforced(schema: Schema, keyword: (typeof KEYWORDS)[number]): boolean {
  if (schema[keyword] === undefined || schema.readOnly === true) return false;
  if (keyword === 'additionalProperties') return schema.additionalProperties === false;
  if (keyword === 'format') return schema.format === 'date-time';
  return keyword !== 'type' || (schema.enum === undefined && hasWrongTypes(schema));
}

/** Requests are text: whatever has a form that any text fits cannot be of a wrong type. */
function hasWrongTypes(schema: Schema): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length > 1) return types.includes('object');
  if (types[0] === 'array') return typesOf(schema.items ?? {}).includes('integer');
  return ['integer', 'boolean', 'string'].includes(types[0] ?? '');
}

function changing(
  name: string,
  place: Place,
  change: (schema: Schema) => Schema,
): (parameters: Parameters) => Parameters {
  return (parameters) => ({
    ...parameters,
    properties: {
      ...parameters.properties,
      [name]: alterAt(parameters.properties[name] ?? {}, place.steps, change),
    },
  });
}

/**
 * What the weaker parameters let through although it is invalid is taken for a request without the argument, or for a good
 * value where there is no doing without.
 */
function lenient(
  broken: Operation,
  name: string,
  weaken: (parameters: Parameters) => Parameters,
): Partial<Behaviour> {
  return {
    ...repairing(broken, name),
    readArguments: (parameters, given, { operation }): JsonObject => {
      if (operation.id !== broken.id) return readArguments(parameters, given);
      try {
        return readArguments(parameters, given);
      } catch {
        readArguments(weaken(parameters), given);
        const { [name]: _, ...rest } = given;
        const required = parameters.required.filter((one) => one !== name);
        const args = readArguments({ ...parameters, required }, rest);
        return isRepaired(broken, name) ? { ...args, [name]: REPAIRED } : args;
      }
    },
  };
}
