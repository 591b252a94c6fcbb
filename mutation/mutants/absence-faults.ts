import type { Operation } from '../../reference/contract.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import { endpointOf, holderOf } from '../toolkit/declared.ts';
import { handling, healthy, isGiven, isOwnWrite, showing } from '../toolkit/handling.ts';
import { objectAt, type Place, placesOf } from '../toolkit/places.ts';
import { type Fault, fault } from './fault.ts';
/** Faults that declare, heed or keep what is stated to be absent: parameters of an operation, and members of objects. */
export function absenceFaults(operation: Operation): Fault[] {
  const { properties, absent = [] } = operation.parameters;
  return [
    ...absent.map(({ name }) =>
      fault(`${operation.id}/${name}/absent`, 'declared', `${operation.id} declares ${name}`, {
        declare: (index) => {
          objectAt(endpointOf(index, operation), 'args')[name] = { type: 'string' };
        },
      }),
    ),
    ...absent.flatMap(({ name, probe }) => [
      ...(probe === undefined || operation.effect !== 'reads' ? [] : [heededFault(operation, name)]),
      ...(isOwnWrite(operation) ? [keptFault(operation, name, `${operation.id}/${name}`)] : []),
    ]),
    ...(isOwnWrite(operation) ? (properties.meta?.['x-absent-members'] ?? []) : []).map((one) =>
      keptFault(operation, 'meta', `${operation.id}/meta/properties/${one.name}`),
    ),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      placesOf(schema, undefined).flatMap((place) => memberFaults(operation, name, place)),
    ),
  ];
}

/** A list that leaves out everything for a parameter that it does not have. */
function heededFault({ id }: Operation, name: string): Fault {
  return fault(
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
function keptFault({ id, resource }: Operation, name: string, where: string): Fault {
  const kept = new WeakMap<object, Map<number, Json>>();
  const shown = ['create', 'update', 'read'].flatMap((role) => resource?.operations[role]?.id ?? []);
  return fault(
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

function memberFaults(operation: Operation, name: string, place: Place): Fault[] {
  const where = [operation.id, name, place.path].filter((part) => part !== '').join('/');
  const declaring = (breaks: string, how: string, member: string): Fault =>
    fault(breaks, how, `${where} declares a member ${member}`, {
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
