import { invalidParameters, readArguments } from '../../reference/arguments.ts';
import type { Operation } from '../../reference/contract.ts';
import { integer, type JsonObject } from '../../reference/json.ts';
import { holderOf } from '../toolkit/declared.ts';
import { objectAt } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

const CAP = 50;

/** Lists whose pages are smaller than stated, as the site declares itself or although it declares otherwise. */
export function cappedMutants(operation: Operation): Mutant[] {
  const { id, parameters, effect } = operation;
  const most = parameters.properties.per_page?.maximum;
  if (effect !== 'reads' || most === undefined || most <= CAP) return [];
  const capped: Mutant['behaviour'] = {
    readArguments: (given, raw, asked): JsonObject => {
      const args = readArguments(given, raw);
      if (asked.operation.id === id && integer(args.per_page, 0) > CAP) {
        throw invalidParameters({ per_page: 'Not so many.' });
      }
      return args;
    },
  };
  return [
    mutant(`${id}/per_page/maximum/accepted`, 'capped', `${id} lists ${CAP} records at most`, capped),
    mutant(
      `${id}/per_page/maximum`,
      'declared-and-capped',
      `${id} declares and lists ${CAP} records at most`,
      {
        ...capped,
        declare(index) {
          const { holder, key } = holderOf(index, operation, 'per_page', []);
          objectAt(holder, key).maximum = CAP;
        },
      },
    ),
  ];
}
