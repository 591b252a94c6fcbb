import { invalidParameters, readArguments } from '../../reference/arguments.ts';
import type { Operation } from '../../reference/contract.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import { type Mutant, mutant } from './mutant.ts';

/** Parameters whose valid values hang on what the site holds. */
const SITE_BOUND = ['page', 'offset', 'password', 'url'];
/** Lists are asked with several arguments to see what one of them does; those with fewer parameters need another mutant. */
const FEW = 14;

/** Mutants of a read that takes its arguments one by one, and refuses some sets of them that are as valid. */
export function combinationMutants(operation: Operation): Mutant[] {
  const { id, effect, pathParameters, parameters } = operation;
  const free = Object.entries(parameters.properties).filter(
    ([name]) => !(name in pathParameters) && !SITE_BOUND.includes(name),
  );
  if (effect !== 'reads' || free.length < 3) return [];
  const optional = free.filter(([name, schema]) => !parameters.required.includes(name) && isPlain(schema));
  const names = optional.map(([name]) => name);
  const most = Math.floor(names.length / 2);
  const refuses = (how: string, title: string, isRefused: (given: JsonObject) => boolean): Mutant[] => [
    mutant(`${id}/fuzz/accepted`, how, title, refusing(id, isRefused)),
  ];
  if (most > 0 && (names.length >= FEW || !names.includes('orderby'))) {
    const title = `${id} takes no more than ${most} of its optional arguments at once`;
    return refuses('refuses-many', title, (given) => names.filter((name) => name in given).length > most);
  }
  if (names.includes('include') && names.includes('exclude')) {
    const title = `${id} refuses include beside exclude`;
    return refuses('refuses-contraries', title, (given) => 'include' in given && 'exclude' in given);
  }
  // Where nothing can be left out, only the values differ from one request to the next.
  const title = `${id} refuses signs that words do not have, and numbers above a hundred`;
  return refuses('refuses-unusual', title, (given) => free.some(([name]) => isUnusual(given[name])));
}

/** Whether a value, as a query has it, is one that people seldom send. */
function isUnusual(value: Json | undefined): boolean {
  return typeof value === 'string' && (/[^\w ,.:/-]/.test(value) || Number(value) > 100);
}

/** Whether the values that a schema takes are known from it. */
function isPlain({ enum: members, format, pattern, items, ...schema }: Schema): boolean {
  if (members) return true;
  const types = typesOf(schema);
  if (types.includes('array')) return items !== undefined && isPlain(items);
  if (types.includes('string')) return format === undefined || format === 'date-time' ? !pattern : false;
  return types.includes('integer') || types.includes('boolean');
}

function refusing(id: string, isRefused: (given: JsonObject) => boolean): Mutant['behaviour'] {
  return {
    readArguments: (parameters, given, { operation }) => {
      if (operation.id === id && isRefused(given)) {
        throw invalidParameters({ [Object.keys(given)[0] ?? '']: 'Not together.' });
      }
      return readArguments(parameters, given);
    },
  };
}
