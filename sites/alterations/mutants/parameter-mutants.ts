import type { Operation } from '../../reference/contract.ts';
import type { JsonObject } from '../../reference/json.ts';
import type { Schema } from '../../reference/schema.ts';
import { type Alteration, alterationsOf } from '../toolkit/alterations.ts';
import { endpointOf, holderOf } from '../toolkit/declared.ts';
import { objectAt, type Place, placesOf } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

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
  return [dropped, ...flipped, ...alterationsOf(place.schema).map((one) => altered(where, at, one))];
}

function altered(
  where: string,
  at: (index: JsonObject) => ReturnType<typeof holderOf>,
  { kind, how, keyword, value }: Alteration,
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
