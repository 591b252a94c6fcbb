import type { Operation } from '../../reference/contract.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import { endpointOf, holderOf } from '../toolkit/declared.ts';
import { handling, healthy, isGiven, isOwnWrite, showing } from '../toolkit/handling.ts';
import { objectAt, type Place, placesOf } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

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
