import type { Finding } from '../../engine/check.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Subject } from '../../probing/records/reading/list-request.ts';
import { soleUserFinding } from '../../probing/records/reading/open-list.ts';
import { runRule } from '../../probing/records/reading/run-rule.ts';
import type { Rule } from '../../probing/records/reading/trial.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
import { reversesById } from './rules/order-rules.ts';
import { boundsTheCount, losesFromEveryPage, partitionsIntoPages } from './rules/paging-rules.ts';

/** What a rule finds on a list, once for its own check and for those that rely on it. */
export const findingsOf: Fixture<
  Finding[],
  [subject: Subject, entry: RootCause & Pick<FilterEntry, 'variant'>]
> = fixture(
  'rule',
  async (session, subject, { rule, variant }) =>
    runRule(session, subject, rule, await variant?.(session, subject)),
  // Rules are told apart by what they are: names of parts are for readers, and two rules may have one.
  ({ route }, { parameter, rule }) => [route, parameter, rule],
);

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

/** A rule that others rely on, and the parameter whose check reports where it does not hold. */
interface RootCause {
  readonly parameter: string;
  readonly rule: Rule;
}

/** A list that cuts the end of every answer off, whatever is asked. */
const LOSSES: RootCause = { parameter: 'page', rule: losesFromEveryPage };
/** A direction that is not honoured even where nothing but ids is sorted. */
const DIRECTIONS: RootCause = { parameter: 'order', rule: reversesById };

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

/**
 * Findings that could not tell, unless that is because the site has one user: then there is nothing to apply the check to.
 * @param way how the filter is asked for
 */
export async function unlessSole(
  session: Session,
  { route }: Subject,
  { takesUsers }: FilterEntry,
  way: FilterEntry['takesUsers'],
  findings: readonly Finding[],
): Promise<Finding[]> {
  const isUntold = takesUsers === way && findings.some(({ kind }) => kind === 'inconclusive');
  const sole = isUntold ? await soleUserFinding(session, route) : undefined;
  return sole === undefined ? [...findings] : [sole];
}
