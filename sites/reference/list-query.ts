import type { ListQuery, Site } from './site.ts';
import type { StoredRecord } from './store.ts';
import { ids, text } from './values.ts';

/** The records of `candidates` that every filter of the query keeps, in the order asked for. */
export function selectRecords(
  site: Site,
  candidates: readonly StoredRecord[],
  query: ListQuery,
): StoredRecord[] {
  const { filters, orders } = site.behaviour;
  const inTerms = termCondition(site, query);
  const kept = candidates.filter((record) => {
    const passes = Object.entries(query.args).every(
      ([name, value]) => !Object.hasOwn(filters, name) || filters[name]?.(record, value, query) !== false,
    );
    return passes && inTerms(record) && site.behaviour.mediaFilter(record, query);
  });
  const order = orders[text(query.args.orderby, 'date')] ?? orders.date;
  if (!order) return kept;
  const compare = order.compare(query);
  const descending = order.turns && query.args.order !== 'asc';
  return kept.toSorted((one, other) => (descending ? compare(other, one) : compare(one, other)));
}

/** All term parameters as one condition, joined by `tax_relation`. */
function termCondition(site: Site, { args }: ListQuery): (record: StoredRecord) => boolean {
  const conditions = Object.entries(site.behaviour.termFilters).flatMap(([name, filter]) => {
    const value = args[name];
    const condition = value === undefined ? undefined : filter(value, site.store);
    return condition ? [condition] : [];
  });
  if (conditions.length === 0) return () => true;
  return args.tax_relation === 'OR'
    ? (record) => conditions.some((condition) => condition(record))
    : (record) => conditions.every((condition) => condition(record));
}

/**
 * Puts sticky posts in front of the first page (`ignore_sticky=false`), even those that are not among the
 * records found; searches, term filters, formats and `include` leave the order alone.
 * @param all the records of the list without any filter
 */
export function stickyFirst(
  all: readonly StoredRecord[],
  page: StoredRecord[],
  query: ListQuery,
): StoredRecord[] {
  const { args } = query;
  const narrowed = ['search', 'categories', 'tags', 'format'].some((name) => args[name] !== undefined);
  if (narrowed || ids(args.include).length > 0 || args.sticky === true) return page;
  const excluded = args.sticky === false ? all.filter(({ sticky }) => sticky) : [];
  const unwanted = new Set([...ids(args.exclude), ...excluded.map(({ id }) => id)]);
  const found = page.filter(({ sticky }) => sticky);
  const missing = all
    .filter((record) => record.sticky && record.status === 'publish')
    .filter((record) => !page.includes(record) && !unwanted.has(record.id))
    .toSorted((one, other) => other.date - one.date);
  return [...found, ...missing, ...page.filter(({ sticky }) => !sticky)];
}
