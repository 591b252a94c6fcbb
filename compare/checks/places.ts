import { defined } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import type { FieldPlace, OperationPlace } from '../../engine/result.ts';
import type { Contract } from '../../specs/model.ts';
import type { Calls } from '../change.ts';

/** Where the operations of a run are. */
export type Places = Readonly<Record<string, OperationPlace>>;

/** Where the operations of a contract are, in the words of the target. */
export function placesOf({ namespaces, operations }: Contract): Record<string, OperationPlace> {
  const wires = new Map(namespaces.map(({ name, wire }) => [name, wire]));
  const places = operations.map(({ id, route, methods, parameters }) => {
    const namespace = wires.get(route.namespace) ?? route.namespace;
    const other = parameters.filter(({ name, wire }) => name !== wire);
    const words = Object.fromEntries(other.map(({ name, wire }) => [name, wire]));
    return [id, { namespace, route: route.wire, methods, ...(other.length > 0 && { words }) }];
  });
  return Object.fromEntries(places);
}

/** The calls of a check: those of its operation that send its parameter or read its field. */
export function callsOf(
  { operation, parameter, field }: Pick<Check, 'operation' | 'parameter' | 'field'>,
  places: Places,
): Calls | undefined {
  const place = operationPlace(operation, places);
  if (place === undefined) return undefined;
  const { route, methods, words = {} } = place;
  return {
    ...defined({ route, methods, parameter: parameter && (words[parameter] ?? parameter) }),
    ...(field !== undefined && { below: true, member: fieldPath(field) }),
  };
}

/** Where an operation is, if the run says so. */
export function operationPlace(operation: string | undefined, places: Places): OperationPlace | undefined {
  return operation !== undefined && Object.hasOwn(places, operation) ? places[operation] : undefined;
}

/** The id of a field's change, the same in every comparison. */
export function fieldChangeId(place: FieldPlace): string {
  return `fields/${place.resource}/${fieldPath(place)}`;
}

/** A field, or a member of one, as a path. */
export function fieldPath({ field, member = '' }: FieldPlace): string {
  return member === '' ? field : `${field}.${member}`;
}
