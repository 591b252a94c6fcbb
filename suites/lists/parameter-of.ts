import type { Operation, Parameter } from '../../specs/model.ts';
import type { FilterEntry } from './filter-table.ts';

/**
 * The parameter of a list that an entry is about; undefined where the entry says nothing about that list. A value of
 * `orderby` or of `search_columns` that the list does not have is not asked for.
 */
export function parameterOf(
  { parameter, part, only }: FilterEntry,
  { resource, parameters }: Operation,
): Parameter | undefined {
  const found = parameters.find(({ name }) => name === parameter);
  if (found === undefined || (only !== undefined && (resource === undefined || !only(resource))))
    return undefined;
  if (part === undefined || (parameter !== 'orderby' && parameter !== 'search_columns')) return found;
  const { schema } = found;
  return (schema.enum ?? schema.items?.enum ?? []).includes(part) ? found : undefined;
}
