import type { Operation } from '../../specs/model.ts';
import type { Rule } from '../records/reading/trial.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
import { parameterOf } from './parameter-of.ts';
import { turnsById } from './rules/order-rules.ts';
import { boundsTheCount, losesFromEveryPage, partitionsIntoPages } from './rules/paging-rules.ts';

/** A rule that others rely on, and the parameter whose check reports where it does not hold. */
export interface RootCause {
  readonly parameter: string;
  readonly rule: Rule;
}

/** A list that cuts the end of every answer off, whatever is asked. */
const LOSSES: RootCause = { parameter: 'page', rule: losesFromEveryPage };
/** A direction that is not heeded even where nothing but ids is sorted. */
const DIRECTIONS: RootCause = { parameter: 'order', rule: turnsById };

/**
 * What fails an entry with it: lists that are cut otherwise than they are asked to be (where the list was read in
 * several pages, those too), and the parameters that its requests use as well.
 * @param pages how many the list was read in
 */
export function rootCausesOf(entry: FilterEntry, operation: Operation, pages: number): readonly RootCause[] {
  if (entry.rule === boundsTheCount) return [];
  const beside = FILTER_TABLE.filter((other) => {
    const { parameter, part, rule } = other;
    if (parameterOf(other, operation) === undefined) return false;
    if (rule === boundsTheCount || (rule === partitionsIntoPages && pages > 1)) return rule !== entry.rule;
    return part === undefined && parameter !== 'order' && entry.after?.includes(parameter) === true;
  });
  return [
    ...beside,
    ...(entry.rule === partitionsIntoPages ? [] : [LOSSES]),
    ...(entry.after?.includes('order') === true ? [DIRECTIONS] : []),
  ];
}
