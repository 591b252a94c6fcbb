import type { Operation } from '../contract.ts';
import type { JsonObject } from '../json.ts';
import { endpointOf, holderOf } from './declared.ts';
import { type Fault, fault } from './fault.ts';
import { objectAt, type Place, placesOf } from './places.ts';

/** Faults that declare what is stated to be absent: parameters of an operation, and members of objects. */
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
    ...Object.entries(properties).flatMap(([name, schema]) =>
      placesOf(schema, undefined).flatMap((place) => memberFaults(operation, name, place)),
    ),
  ];
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
