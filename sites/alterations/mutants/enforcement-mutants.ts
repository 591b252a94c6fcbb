import { readArguments } from '../../reference/arguments.ts';
import type { Operation } from '../../reference/contract.ts';
import type { JsonObject } from '../../reference/json.ts';
import { type Parameters, type Schema, typesOf } from '../../reference/schema.ts';
import type { Behaviour } from '../../reference/site.ts';
import { alterAt, type Place, placesOf } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';
import { isRepaired, REPAIRED, repairing } from './repairs.ts';

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
